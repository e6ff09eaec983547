import { describe, expect, it } from 'vitest';
import { bisect } from '../../src/random/bisect.js';
import { type Entropy, secureEntropy, unsafeSeededEntropy } from '../../src/random/entropy.js';
import { allZero, bernoulli, bigUniformBelow, bits, uniformBelow } from '../../src/random/exact.js';
import { add, exponent, normalise, Row } from '../../src/random/weights.js';
import { chiSquareZ } from '../support/chi-square.js';

/** Answers with the given bits, most significant first, then fails the test. */
function scripted(text: string): Entropy {
  const words = text.match(/.{1,32}/g)!.map((word) => Number.parseInt(word.padEnd(32, '0'), 2));
  return {
    word() {
      if (words.length === 0) throw new Error('more bits drawn than scripted');
      return words.shift()!;
    },
  };
}

describe('entropy', () => {
  it('repeats for a seed, differs between seeds and between secure sources', () => {
    const take = (entropy: Entropy) => Array.from({ length: 40_000 }, () => entropy.word());
    expect(take(unsafeSeededEntropy(7))).toEqual(take(unsafeSeededEntropy(7)));
    expect(take(unsafeSeededEntropy(7))).not.toEqual(take(unsafeSeededEntropy(8)));
    expect(take(secureEntropy())).not.toEqual(take(secureEntropy()));
  });

  it('is the ChaCha20 key stream of RFC 8439 (zero key, zero nonce, block 0)', () => {
    const bytes = new Uint8Array(Uint32Array.from({ length: 4 }, () => 0).buffer);
    const entropy = unsafeSeededEntropy(0);
    const words = new Uint32Array(bytes.buffer);
    for (let i = 0; i < 4; i++) words[i] = entropy.word();
    expect(Buffer.from(bytes).toString('hex')).toBe('76b8e0ada0f13d90405d6ae55386bd28');
  });
});

describe('exact draws', () => {
  it('bits are uniform up to 53', () => {
    expect(bits(scripted('1'.repeat(64)), 53)).toBe(2 ** 53 - 1);
    expect(bits(scripted('0'.repeat(31).concat('1').repeat(2)), 33)).toBe(1);
    expect(bits(scripted('101'), 3)).toBe(5);
    expect(bits(scripted(''.padEnd(32, '0')), 0)).toBe(0);
  });

  it('uniformBelow is uniform, also where the range is no power of two', () => {
    const entropy = unsafeSeededEntropy(1);
    const seen = new Array(11).fill(0);
    for (let i = 0; i < 110_000; i++) seen[uniformBelow(entropy, 11)]++;
    expect(Math.abs(chiSquareZ(seen, new Array(11).fill(1 / 11)))).toBeLessThan(5);
    expect(uniformBelow(entropy, 1)).toBe(0);
    for (let i = 0; i < 100; i++) expect(uniformBelow(entropy, 2 ** 53)).toBeLessThan(2 ** 53);
  });

  it('bigUniformBelow is uniform in all its bits, beyond one word too', () => {
    // 40 bits are one word and the upper eight bits of the next.
    expect(bigUniformBelow(scripted(`${'1'.repeat(32)}${'0'.repeat(32)}`), 2n ** 40n)).toBe(2n ** 40n - 2n ** 8n);
    expect(bigUniformBelow(scripted(`${'0'.repeat(32)}10000001`), 2n ** 40n)).toBe(129n);
    const entropy = unsafeSeededEntropy(5);
    for (const n of [3n * 2n ** 40n, 5n * 2n ** 70n + 1n, 7n * 2n ** 109n]) {
      const seen = new Array(15).fill(0);
      const middle = new Array(8).fill(0);
      for (let i = 0; i < 20_000; i++) {
        const draw = bigUniformBelow(entropy, n);
        seen[Number((draw * 15n) / n)]++;
        middle[Number((draw >> 20n) & 7n)]++;
      }
      expect(Math.abs(chiSquareZ(seen, new Array(15).fill(1 / 15)))).toBeLessThan(5);
      expect(Math.abs(chiSquareZ(middle, new Array(8).fill(1 / 8)))).toBeLessThan(5);
    }
  });

  it('a Bernoulli draw needs exactly its zero bits and then compares all 53', () => {
    const p = 0.625; // 0.101 in binary
    expect(bernoulli(scripted(`100${'1'.repeat(29)}${'1'.repeat(32)}`), p)).toBe(true);
    expect(bernoulli(scripted(`101${'0'.repeat(61)}`), p)).toBe(false);
    const shifted = `${'0'.repeat(32)}${'0'.repeat(32)}100${'0'.repeat(61)}`;
    expect(bernoulli(scripted(shifted), p, 64)).toBe(true);
    expect(bernoulli(scripted(`${'0'.repeat(32)}${'0'.repeat(31)}1`), p, 64)).toBe(false);
    // Far below the least double.
    expect(bernoulli(scripted(`1${'0'.repeat(31)}`), 2 ** -1074, 5000)).toBe(false);
    expect(bernoulli(scripted('0'.repeat(32)), 0)).toBe(false);
  });

  it('frequencies agree with p, large and small', () => {
    const entropy = unsafeSeededEntropy(2);
    for (const [p, shift] of [
      [0.3, 0],
      [0.5, 3],
      [1, 0],
      [0.9, 5],
    ]) {
      let seen = 0;
      for (let i = 0; i < 50_000; i++) if (bernoulli(entropy, p, shift)) seen++;
      const q = p * 2 ** -shift;
      expect(Math.abs(seen - 50_000 * q)).toBeLessThanOrEqual(5 * Math.sqrt(50_000 * q * (1 - q)));
    }
    let zero = 0;
    for (let i = 0; i < 40_000; i++) if (allZero(entropy, 3)) zero++;
    expect(Math.abs(zero - 5000)).toBeLessThan(5 * Math.sqrt(5000 * 0.875));
  });
});

describe('weights', () => {
  it('keep numbers that doubles cannot', () => {
    let x = 1;
    let e = 0;
    for (let i = 0; i < 100; i++) {
      x = normalise(x * 2 ** 200, e);
      e = exponent;
    }
    expect(Math.log2(x) + 512 * e).toBe(20_000);
    for (let i = 0; i < 200; i++) {
      x = normalise(x * 2 ** -200, e);
      e = exponent;
    }
    expect(Math.log2(x) + 512 * e).toBe(-20_000);
  });

  it('add as real numbers do, to one rounding', () => {
    const cases: [number, number, number, number, number, number][] = [
      [1, 0, 2, 0, 3, 0],
      [0, 0, 5, -3, 5, -3],
      [5, 7, 0, 0, 5, 7],
      [2 ** -256, 1, 2 ** 255, 0, 2 ** -256 * 1.5, 1],
      [2 ** 255, 0, 2 ** 255, 0, 2 ** -256, 1],
      [1, 5, 1, 3, 1, 5],
    ];
    for (const [ax, ae, bx, be, x, e] of cases) {
      expect([add(ax, ae, bx, be), exponent]).toEqual([x, e]);
      expect([add(bx, be, ax, ae), exponent]).toEqual([x, e]);
    }
  });
});

describe('bisect', () => {
  const rowOf = (weights: [number, number][]) => {
    const row = new Row(0, weights.length);
    weights.forEach(([x, e], i) => {
      row.x[i] = x;
      row.e[i] = e;
    });
    return row;
  };

  it('draws in proportion to the weights, whatever their common scale', () => {
    for (const scale of [0, -9, 9]) {
      const entropy = unsafeSeededEntropy(3);
      const weights = [3, 0, 1, 1e-3, 7, 2, 0.5];
      const total = weights.reduce((a, b) => a + b, 0);
      const seen = weights.map(() => 0);
      for (let i = 0; i < 100_000; i++) seen[bisect(entropy, rowOf(weights.map((w) => [w, scale])))]++;
      expect(seen[1]).toBe(0);
      expect(
        Math.abs(
          chiSquareZ(
            seen,
            weights.map((w) => w / total),
          ),
        ),
      ).toBeLessThan(5);
    }
  });

  it('reaches a weight thousands of nats below the rest when the bits say so, and never a zero', () => {
    const row = rowOf([
      [1, -10],
      [0, 0],
      [1, 0],
      [1, 0],
    ]);
    // Its share of the root is 2^-5121: so many zero bits pick it, a single one among them does not.
    expect(bisect(scripted('0'.repeat(32 * 163)), row)).toBe(0);
    expect(bisect(scripted(`${'0'.repeat(5119)}1${'0'.repeat(96)}`), row)).not.toBe(0);
    expect(
      bisect(
        unsafeSeededEntropy(1),
        rowOf([
          [0, 0],
          [0, 0],
        ]),
      ),
    ).toBe(-1);
    expect(bisect(unsafeSeededEntropy(1), new Row(0, 0))).toBe(-1);
  });
});
