/** Texts of the page that is shown when another page fails to render: always loaded with it, so that it needs no request. */
export const errors = {
  'errors.documentTitle': 'Error · Evenkeel',
  'errors.title': 'This page could not be displayed',
  'errors.body': 'The error is in the console, not in your clusters. Nothing was changed.',
  'errors.retry': 'Reload page',
} as const
