/** Whether this is the long run, `npm run test:deep`; `npm test` takes the short one of each. */
export const DEEP = process.env['DEEP'] !== undefined;

/** How often a property is tried: so often in `npm test`, 30 times that in the long run. */
export const propertyRuns = (short: number): number => (DEEP ? 30 * short : short);
