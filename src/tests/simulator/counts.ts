/** Every fault that the simulation knows, as it is counted and printed. */
export const FAULTS = [
  'requestsLost',
  'requestsDelayed',
  'arrivedAfterResend',
  'duplicates',
  'bodiesRewritten',
  'answersLost',
  'answersLate',
  'answersCut',
  'answersAltered',
  'answersPartial',
  'answersUndated',
  'gatewayHtml',
  'gatewayUpstream',
  'redirects',
  'captivePortals',
  'offline',
  'unauthorized',
  'forbidden',
  'rateLimited',
  'unavailable',
  'conflicts',
  'refusedUnstored',
  'failed',
  'failedStored',
  'failedStoredExecuted',
  'readsLost',
  'readsSpoiled',
  'listsUnknown',
  'listsLagging',
  'crashesBeforeWrite',
  'crashesAfterWrite',
  'crashesBetween',
  'writesRefused',
  'recordsDamaged',
  'reloads',
  'clockJumps',
  'sleeps',
  'waitsPast24h',
  'timersLate',
  'locksStuck',
  'tabs',
  'togetherInTwoTabs',
  'doubleClicks',
  'formsForgotten',
  'secondSends',
  'identicalIntents',
  'colleagues',
  'signOuts',
  'accountsSwitched',
  'keysRevoked',
  'twoKeysOfOneAccount',
  'storageLost',
] as const;

export type Fault = (typeof FAULTS)[number];
export type Counts = Record<Fault, number>;

const known = new Set<string>(FAULTS);

export function isFault(name: string): name is Fault {
  return known.has(name);
}

export function noCounts(): Counts {
  return Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Counts;
}
