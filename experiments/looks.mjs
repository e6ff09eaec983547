// How each series looks in every figure: its family by the dash and the shape, itself by the colour.

export const colours = ['#2f5fd0', '#e07b00', '#0a8f5b', '#9333ea', '#b91c1c', '#0891b2', '#5b6472'];

const families = {
  solid: { dash: 'none', symbol: 'circle', shape: 'M-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0' },
  dashed: { dash: '6,3', symbol: 'square', shape: 'M-2.6,-2.6h5.2v5.2h-5.2z' },
  dotted: { dash: '2,2', symbol: 'triangle', shape: 'M0,-3.6l3.4,5.8h-6.8z' },
};

/** Exponential mechanisms, trees of counts, and smooth sensitivity. */
const known = {
  'joint-exp': ['solid', '#2f5fd0'],
  'approximate-quantiles': ['solid', '#c2410c'],
  'app-ind-exp': ['solid', '#0a8f5b'],
  'ind-exp': ['solid', '#e8a200'],
  'agg-tree': ['dashed', '#9333ea'],
  'agg-tree 10^3': ['dashed', '#111827'],
  'lap-tree': ['dashed', '#8b95a5'],
  'gauss-tree': ['dashed', '#db2777'],
  smooth: ['dotted', '#0891b2'],
  csmooth: ['dotted', '#713f12'],
  'csmooth zCDP': ['dotted', '#808000'],
};

/** The look of the i-th series of a figure, the same in all figures for a method. */
export function lookOf(name, i) {
  const [family, colour] = known[name] ?? ['solid', colours[i % colours.length]];
  const { shape, ...look } = families[family];
  return { ...look, colour, glyph: (x, y) => `<path transform="translate(${x},${y})" d="${shape}"/>` };
}
