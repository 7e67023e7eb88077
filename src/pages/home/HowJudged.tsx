import { StatusCell } from '#src/list/StatusCell.tsx';
import type { Reading, StatusReading } from './statusHeuristic.ts';
import type { HomeList } from './useHomeList.ts';
import { DAYS_BACK, MAX_PAGES } from './recentRows.ts';

/** The most common ones; a service with more of them has made them up. */
const MOST_STATUSES = 12;

/** The rule in words, and what it made of each status. */
export function HowJudged({ lists, balancesRead }: { lists: readonly HomeList[]; balancesRead: boolean }) {
  const judged = lists.filter(({ judgement }) => judgement !== null && judgement.statuses.length > 0);
  return (
    <details className="home-how">
      <summary>How this is judged</summary>
      <p>
        The service states no set of statuses, so no word counts, only the other rows of the list: those of {DAYS_BACK}{' '}
        days, at most {(MAX_PAGES * 100).toLocaleString('en')} unless more are asked for, and older ones in a status
        that rows pass through. A row sits long when it is older than an hour and than twice the age from which on four
        in five of the rows of its chain have left the statuses that rows pass through.
      </p>
      <p>
        Rows pass through a status if at most one in ten of the older half carry it. They do not if it is as common
        among old rows as among new ones, or if what the service holds pending or locked of their assets is nothing, or
        exactly what rows of other statuses make.
        {!balancesRead && ' The balances are not read, so this last test is not applied.'} When everything stands still
        there is nothing to compare with, and nothing is said to sit.
      </p>
      {judged.length > 0 && <StatusTable lists={judged} />}
    </details>
  );
}

function StatusTable({ lists }: { lists: readonly HomeList[] }) {
  return (
    <div className="table-scroll">
      <table className="grid-table labelled home-table" aria-label="Statuses read">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Of</th>
            <th scope="col">Rows</th>
            <th scope="col">Taken for</th>
          </tr>
        </thead>
        <tbody>
          {lists.flatMap(({ kind, judgement }) =>
            (judgement?.statuses ?? []).slice(0, MOST_STATUSES).map((each) => (
              <tr key={`${kind.noun.one} ${each.status}`}>
                <th scope="row">
                  <StatusCell status={each.status} />
                </th>
                <td data-label="Of">{kind.noun.many}</td>
                <td data-label="Rows">{each.rows.toLocaleString('en')}</td>
                <td data-label="Taken for">{takenFor(each, judgement?.olderRows ?? 0, kind.heldIn)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

function takenFor({ reading, older }: StatusReading, olderRows: number, heldIn: string): string {
  const words: Record<Reading, string> = {
    stays: `an end: ${older} of the ${olderRows} older rows carry it`,
    'any-age': `an end: as common among old rows as among new`,
    'not-held': `an end: what the service holds ${heldIn} is not for its rows`,
    passing: `passed through: ${older} of the ${olderRows} older rows carry it`,
  };
  return words[reading];
}
