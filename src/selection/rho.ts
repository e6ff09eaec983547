/**
 * ln rho(epsilon, g): by how much, at most, the mass `Z(a) = g + (1-g)*a` can differ between epsilon-close laws that give an event
 * the chance a. `rho = (e^epsilon + g)/(1 + g*e^epsilon)`, epsilon itself at g = 0 and nothing at g = 1; lemma 2 of selection.proof.md.
 */
export function logRho(epsilon: number, g: number): number {
  const rise = (-Math.expm1(-epsilon) * (1 - g)) / (Math.exp(-epsilon) + g);
  return Math.min(epsilon, Math.log1p(rise));
}
