export const common = {
  'common.loadingPage': 'Loading the page',
} as const
