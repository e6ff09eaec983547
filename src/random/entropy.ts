import { chacha20 } from '@noble/ciphers/chacha.js';

/** An endless supply of independent fair bits, 32 at a time. Everything random in the package is drawn from one. */
export interface Entropy {
  /** A uniform unsigned 32-bit word. */
  word(): number;
}

/** Bytes per refill: the most that the Web Crypto API gives in one call. */
const blockBytes = 65_536;

function buffered(fill: (bytes: Uint8Array<ArrayBuffer>) => void): Entropy {
  const words = new Uint32Array(blockBytes / 4);
  const bytes = new Uint8Array(words.buffer);
  let next = words.length;
  return {
    word() {
      if (next === words.length) {
        fill(bytes);
        next = 0;
      }
      const word = words[next];
      words[next++] = 0;
      return word;
    },
  };
}

/** The platform's cryptographically secure generator: the only source that private releases use. */
export function secureEntropy(): Entropy {
  return buffered((bytes) => void globalThis.crypto.getRandomValues(bytes));
}

/**
 * A reproducible stream (the ChaCha20 key stream of the seed) for tests and experiments. Who knows the seed knows the
 * noise: a release drawn from it is not private.
 *
 * @param seed whole number from 0 to 2^53 - 1.
 */
export function unsafeSeededEntropy(seed: number): Entropy {
  const key = new Uint8Array(32);
  new DataView(key.buffer).setBigUint64(0, BigInt(seed), true);
  const nonce = new Uint8Array(12);
  const zeros = new Uint8Array(blockBytes);
  let block = 0;
  return buffered((bytes) => {
    new DataView(nonce.buffer).setUint32(0, block++, true);
    chacha20(key, nonce, zeros, bytes);
  });
}
