/** Whether this is the long run, `npm run test:deep`; `npm test` runs the short version of each test. */
export const DEEP = process.env['DEEP'] !== undefined;

/** The number of runs of a property: `short` in `npm test`, 30 times that in the long run. */
export const propertyRuns = (short: number): number => (DEEP ? 30 * short : short);
