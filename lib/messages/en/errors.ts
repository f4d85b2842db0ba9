/** Texts that come with the code: they must be there when a page fails or the server does not respond. */
export const errors = {
  'errors.documentTitle': 'Error · Evenkeel',
  'errors.title': 'This page could not be displayed',
  'errors.body': 'The error is in the console, not in your clusters. Nothing was changed.',
  'errors.retry': 'Reload page',
  'errors.noAnswerToQuery': 'The Evenkeel server does not respond. Nothing was changed. Try again when it responds.',
  'errors.noAnswerToAction':
    'Outcome unknown: the Evenkeel server does not respond. Check whether the action took effect before you retry.',
  'errors.unexplained': 'The server responded with {status} {statusText} and no reason.',
} as const
