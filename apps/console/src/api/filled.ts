type Filled<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The values that are neither undefined nor an empty string. */
export const filled = <Values extends Record<string, unknown>>(values: Values): Filled<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as Filled<Values>;
