/** The order of names as people count: `member2` before `member10`. The same in every language, as it is part of addresses. */
export const { compare: compareNaturally } = new Intl.Collator('en', { numeric: true })
