import { describe, expect, it } from 'vitest';
import { unsafeSeededEntropy } from '../../src/random/entropy.js';
import { drawLaplace } from '../../src/random/exponential.js';
import { fractionOf } from '../../src/random/fraction.js';
import { nearestWhole } from '../../src/random/rounded.js';
import { drawStudent, studentTail } from '../../src/random/student-t.js';
import { chiSquareZ } from '../support/chi-square.js';

const laplaceTail = (z: number) => Math.exp(-z) / 2;

describe.each([
  ['Laplace', drawLaplace, laplaceTail],
  ['Student', drawStudent, studentTail],
] as const)('a %s number by digits', (_, draw, tail) => {
  it('keeps to what was said of it before, and is known as well as was asked', () => {
    const entropy = unsafeSeededEntropy(1);
    for (let i = 0; i < 200; i++) {
      const z = draw(entropy);
      const coarse = z(64);
      for (const bits of [128, 256]) {
        const fine = z(bits);
        const shift = BigInt(bits - 64);
        expect(fine.low >= coarse.low << shift && fine.high <= coarse.high << shift).toBe(true);
        expect(fine.high - fine.low < 1n << 40n).toBe(true);
      }
    }
  });

  it('has its law on any grid, wherever the centre, tails included', () => {
    for (const [centre, scale] of [
      [0, 1],
      [0.3, 2.5],
      [-7.5, 0.6],
    ]) {
      const entropy = unsafeSeededEntropy(2);
      const cells = Array.from({ length: 41 }, (_, i) => i - 20 + Math.round(centre));
      const above = (x: number) => {
        const z = (x - centre) / scale;
        return z >= 0 ? tail(z) : 1 - tail(-z);
      };
      const inner = cells.map((k) => above(k - 0.5) - above(k + 0.5));
      const chances = [1 - above(cells[0] - 0.5), ...inner, above(cells[40] + 0.5)];
      const seen = chances.map(() => 0);
      for (let i = 0; i < 6000; i++) {
        const k = Number(nearestWhole(fractionOf(centre), fractionOf(scale), draw(entropy)));
        seen[Math.min(Math.max(k - cells[0] + 1, 0), 42)]++;
      }
      expect(Math.abs(chiSquareZ(seen, chances))).toBeLessThan(5);
    }
  });
});

it('the tail of the Student law is the integral of its density', () => {
  const step = 1e-3;
  for (const z of [0, 0.4, 3, 40]) {
    let sum = 0;
    for (let i = 0; i < 2e6; i++) sum += (1 + (z + (i + 0.5) * step) ** 2 / 3) ** -2;
    // The rest beyond z + 2000 is about 3^2/(3*z^3).
    const whole = (sum * step + 3 / (z + 2000) ** 3) * (2 / (Math.PI * Math.sqrt(3)));
    expect(studentTail(z) / whole).toBeCloseTo(1, 6);
  }
});

it('the nearest whole number is the mathematical one, halves upwards, on both sides of zero', () => {
  const exactly = (x: bigint) => (bits: number) => ({ low: x << BigInt(bits), high: x << BigInt(bits) });
  for (const [centre, scale, z, expected] of [
    [0.5, 1, 0n, 1n],
    [-0.5, 1, 0n, 0n],
    [-0.75, 1, 0n, -1n],
    [0.25, 0.5, -3n, -1n],
    [2 ** 60, 1, -1n, 2n ** 60n - 1n],
  ] as const)
    expect(nearestWhole(fractionOf(centre), fractionOf(scale), exactly(z))).toBe(expected);
});
