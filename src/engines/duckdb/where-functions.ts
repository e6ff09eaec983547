const names = `
  + - * / // % ** ^ ^@ & | ~ << >> @ || && -> ->> !__postfix
  ~~ !~~ ~~* !~~* ~~~    
  abs acos add asin atan atan2 cbrt ceil ceiling cos cot degrees divide even exp factorial floor  gamma gcd
  greatest greatest_common_divisor isfinite isinf isnan lcm least least_common_multiple lgamma ln log log10 log2 mod
  multiply nextafter nullif pi pow power radians round sign signbit sin sqrt subtract tan trunc xor bit_count
  ascii bit_length char_length character_length chr concat concat_ws contains ends_with   instr
  jaccard jaro_similarity jaro_winkler_similarity lcase left len length levenshtein lower  ltrim md5 ord
  octet_length position prefix  regexp_extract regexp_full_match regexp_matches   
  reverse right  rtrim sha256 split_part starts_with string_split strip_accents strlen strpos substr
  substring suffix  trim ucase unicode upper
  array_contains array_extract cardinality element_at list_contains list_element list_extract
  list_has list_position list_slice list_value map map_contains map_extract row struct_extract struct_pack
  json_json_contains json_exists json_extract json_extract_path json_extract_path_text
  json_extract_string json_type json_valid json_value
  century date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth
  dayofweek dayofyear decade epoch epoch_ms epoch_ns epoch_us hour isodow isoyear julian last_day make_date
  make_time make_timestamp microsecond millennium millisecond minute month monthname quarter second strftime
  strptime to_centuries to_days to_decades to_hours to_microseconds to_millennia
  to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years try_strptime week
  weekday weekofyear year yearweek`;

/**
 * The functions of a row filter: what they give depends on their arguments alone. Left out are those that see other
 * rows, the session, the clock, the catalogue or the physical layout, and those that run other functions by name.
 */
export const whereFunctions: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

/** Their first argument, a unit of time, must be a constant: a wrong one is an error that TRY does not catch. */
export const unitFirst: ReadonlySet<string> = new Set(
  'date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc'.split(' '),
);

/** The units of time that all of them know for every date. */
export const dateUnits: ReadonlySet<string> = new Set(
  `year quarter month week day hour minute second millisecond microsecond decade century millennium
  dow isodow doy isoyear yearweek epoch`.split(/\s+/),
);

/** Parts of a date; of a TIME or an INTERVAL some fail in a way that TRY does not catch. */
const dateParts = `century day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_ns epoch_us hour
  isodow isoyear julian last_day microsecond millennium millisecond minute month monthname quarter second week weekday
  weekofyear year yearweek`;

/** What they take, but for a unit, must be dates. */
export const ofDates: ReadonlySet<string> = new Set([...unitFirst, ...dateParts.split(/\s+/)]);

/** Types to cast to, as a parse tree calls them. */
export const castTypes: ReadonlySet<string> = new Set([
  ...'BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT'.split(' '),
  ...'DOUBLE DECIMAL VARCHAR BLOB UUID DATE TIME INTERVAL TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS'.split(' '),
  'TIME WITH TIME ZONE',
  'TIMESTAMP WITH TIME ZONE',
]);
