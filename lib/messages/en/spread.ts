export const spread = {
  'spread.byState': 'Spreads by state',
} as const
