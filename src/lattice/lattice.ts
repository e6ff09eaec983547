import { ScumbleError } from '../errors.js';
import { align, type Decimal, decimalOf, decimalText, powerOfTwo, rounded } from './decimal.js';

/** The public grid `lower + k*step`, `k = 0 … size-1`, on which records are counted and releases live. */
export interface Lattice {
  /** The least point. */
  readonly lower: number;
  /** The bound that was asked for; the greatest point is the last one not above it. */
  readonly upper: number;
  /** The distance between points, in the column's unit. */
  readonly step: number;
  /** Number of points, at most 2^53. */
  readonly size: number;
  /** The nearest double of the decimal `lower + k*step`. */
  value(index: number): number;
  /** The value of an index as text with the decimals that the step needs. */
  format(index: number): string;
}

const maxSize = 2n ** 53n;
const defaultSize = 2n ** 40n;

/**
 * Builds the lattice from public facts alone.
 *
 * @param bounds `[lower, upper]`, finite, lower < upper, in the column's own unit.
 * @param step distance between points, positive and at most upper - lower. Default: 1 when `integer` and that fits, else the smallest
 *   power of two that gives at most 2^40 points.
 * @throws ScumbleError `bounds_invalid`, `step_invalid` or `lattice_too_large`.
 */
export function createLattice(bounds: readonly [number, number], step?: number, integer = false): Lattice {
  const [lower, upper] = bounds;
  if (!Number.isFinite(lower) || !Number.isFinite(upper) || !(lower < upper))
    throw new ScumbleError(
      'bounds_invalid',
      `The bounds must be two finite numbers with lower < upper, not ${lower},${upper}.`,
      { lower, upper },
    );
  if (!Number.isFinite(upper - lower))
    throw new ScumbleError(
      'bounds_invalid',
      `The bounds must be at most ${Number.MAX_VALUE} apart, not ${lower},${upper}.`,
      { lower, upper },
    );
  if (step !== undefined && !(Number.isFinite(step) && step > 0))
    throw new ScumbleError('step_invalid', `The step must be a finite number greater than 0, not ${step}.`, { step });
  const width = upper - lower;
  const unit =
    step !== undefined
      ? decimalOf(step)
      : integer && width >= 1 && width < 2 ** 53
        ? decimalOf(1)
        : defaultStep(bounds);
  const stepValue = Number(decimalText(unit));
  const size = sizeOf(bounds, unit);
  if (size < 2n)
    throw new ScumbleError(
      'step_invalid',
      `The step must be at most upper - lower, and ${stepValue} is larger than the range ${lower} to ${upper}.`,
      { step: stepValue, lower, upper },
    );
  if (size > maxSize)
    throw new ScumbleError(
      'lattice_too_large',
      `The step ${stepValue} cuts the range ${lower} to ${upper} into more than 2^53 points; use a larger step.`,
      { step: stepValue, lower, upper },
    );
  const base = align(decimalOf(lower), unit);
  const at = (index: number): Decimal => ({ units: base.a + BigInt(index) * base.b, places: base.places });
  // A default step such as 2^-31 has many places of its own; those that tell neighbours apart are enough.
  const places =
    step !== undefined ? base.places : Math.min(base.places, Math.max(0, Math.ceil(-Math.log10(stepValue))));
  return Object.freeze({
    lower,
    upper,
    step: stepValue,
    size: Number(size),
    value: (index: number) => Number(decimalText(at(index))),
    format: (index: number) => decimalText(rounded(at(index), places)),
  });
}

/**
 * A lattice for values without bounds: 2^52 points around 0, or 2^51 points from `from` upwards, so that adding 1/2 to an
 * index is still exact. It spans 2^31 scales at the default step; records beyond are clamped to its ends.
 *
 * @param step distance between points. Default: 1 when `integer`, else the power of two at or below scale * 2^-20.
 */
export function createUnboundedLattice(scale: number, step?: number, from?: number, integer = false): Lattice {
  const unit = step ?? (integer ? 1 : 2 ** (Math.floor(Math.log2(scale)) - 20));
  const reach = 2 ** 51 * unit;
  return createLattice(from === undefined ? [-reach, reach - unit] : [from, from + reach - unit], unit);
}

function sizeOf([lower, upper]: readonly [number, number], step: Decimal): bigint {
  const range = align(decimalOf(upper), decimalOf(lower));
  const { a, b } = align({ units: range.a - range.b, places: range.places }, step);
  return a / b + 1n;
}

function defaultStep(bounds: readonly [number, number]): Decimal {
  // The answer is within two of the logarithm, and exact arithmetic decides.
  let exponent = Math.max(-1074, Math.floor(Math.log2(bounds[1] - bounds[0])) - 41);
  while (sizeOf(bounds, powerOfTwo(exponent)) > defaultSize) exponent++;
  return powerOfTwo(exponent);
}

/**
 * The lattice index of a record: the nearest point, clamped at both ends (so infinities are clamped), as a double.
 * Any engine must use this very formula: `floor((x - lower)/step + 0.5)` in doubles, clamped before any cast.
 * NaN has no index: the result is NaN.
 */
export function latticeIndex(lattice: Pick<Lattice, 'lower' | 'step' | 'size'>, x: number): number {
  const index = Math.floor((x - lattice.lower) / lattice.step + 0.5);
  return index <= 0 ? 0 : index >= lattice.size ? lattice.size - 1 : index;
}
