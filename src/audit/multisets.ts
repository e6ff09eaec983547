/** Every ascending vector of `length` integers in `[from, size)`: all multisets of that many points. */
export function* multisets(size: number, length: number, from = 0): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (let head = from; head < size; head++)
    for (const tail of multisets(size, length - 1, head)) yield [head, ...tail];
}
