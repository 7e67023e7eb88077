/** Whether this is the long run, `npm run test:deep`; `npm test` takes the short one of each. */
export const DEEP = process.env['DEEP'] !== undefined;
