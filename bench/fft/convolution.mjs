import FFT from 'fft.js';

/**
 * Convolves rows of `length` log weights by FFT: out[i] = ln sum over k <= i of exp(a[k] + b[i - k]). The transform's
 * error is absolute: what lies 1e-16 below the largest weight of the result is noise, and comes out as -Infinity or as
 * something wrong.
 *
 * @param {number} length
 */
export function logConvolution(length) {
  let size = 2;
  while (size < 2 * length - 1) size *= 2;
  const fft = new FFT(size);
  const real = new Float64Array(size);
  const product = new Float64Array(2 * size);
  const [x, y] = [new Float64Array(2 * size), new Float64Array(2 * size)];

  /** The spectrum of the weights over the largest of them, whose logarithm is returned. */
  const transform = (spectrum, logs) => {
    const top = largest(logs);
    for (let i = 0; i < length; i++) real[i] = Math.exp(logs[i] - top);
    fft.realTransform(spectrum, real);
    fft.completeSpectrum(spectrum);
    return top;
  };

  /** @param {Float64Array} a @param {Float64Array} b each with at least one weight above -Infinity */
  return (a, b) => {
    const top = transform(x, a) + transform(y, b);
    for (let i = 0; i < 2 * size; i += 2) {
      product[i] = x[i] * y[i] - x[i + 1] * y[i + 1];
      product[i + 1] = x[i] * y[i + 1] + x[i + 1] * y[i];
    }
    fft.inverseTransform(x, product);
    return Float64Array.from({ length }, (_, i) => Math.log(Math.max(x[2 * i], 0)) + top);
  };
}

/** @param {Float64Array} logs */
export function largest(logs) {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logs.length; i++) if (logs[i] > top) top = logs[i];
  return top;
}
