/** Every fault that the simulation knows, as it is counted and printed. */
export const FAULTS = [
  // Between a browser and the servers.
  'pageRequestsLost',
  'pageRequestsDelayed',
  'pageRequestsDoubled',
  'pageAnswersLost',
  'proxyHtml',
  'gatewayRefusals',
  'offline',
  // Between a server and the service.
  'connectionsRefused',
  'writtenToClosedSockets',
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
  'idsRepeated',
  'gatewayHtml',
  'redirects',
  'captivePortals',
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
  'datesWrong',
  'datedWrongly',
  'answersAged',
  'createdBehind',
  'listsUnknown',
  'listsLagging',
  // Servers and their database.
  'crashesBeforeWrite',
  'crashesAfterWrite',
  'serversKilled',
  'serversStopped',
  'serversAdded',
  'upgrades',
  'writesOfOldVersion',
  'answersTakenUp',
  'processesFrozen',
  'processesFrozenLong',
  'serverClockJumps',
  'databaseClockJumps',
  'machineClockJumps',
  'timersLate',
  'databaseAway',
  'readsOfJournalFailed',
  'writesRefused',
  'statementsFailed',
  'commitsUnsure',
  'rowsDamaged',
  'journalsSetBack',
  // Browsers and people.
  'reloads',
  'pagesClosed',
  'pages',
  'browsersAsleep',
  'profilesWiped',
  'togetherInTwoPages',
  'doubleClicks',
  'backWhileSending',
  'formsForgotten',
  'ledToTheOther',
  'secondSends',
  'identicalIntents',
  'paidElsewhere',
  'signOuts',
  'journalOnlySessions',
  'accountsSwitched',
  'keysRevoked',
  'twoKeysOfOneAccount',
  'waitsPast24h',
  'posts',
  'executions',
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
