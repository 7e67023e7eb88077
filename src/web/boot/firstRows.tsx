// Draws the first rows of a list without React, from the response to the early script's request. The app's first render
// replaces them, so nothing is drawn unless the app is certain to render the same.
import type { ReactElement } from 'react';
import { PROVIDER_LISTS } from '#src/shared/contract/contract.ts';
import { noteFirstRows, peekEarly } from '#src/web/api/earlyRequests.ts';
import { PAGE_SIZE, pageQuery, withQuery } from '#src/web/api/paging/pageQuery.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { type EarlyList, LIST_PAGES, rowPath } from '#src/shared/paths.ts';
import { OPEN_OPERATIONS, PREFERENCES_KEY, hasNoOpenOperations } from '#src/shared/serverPaths.ts';
import { isPlausibleTime, type Zone, zoneName } from '#src/shared/time.ts';
import { columnId, type ListField, headOf, type ListRow, moneyOf, valueOf } from '#src/web/list/fields.tsx';
import { keysOf } from '#src/web/list/filters/filterTable.ts';
import { amountWidth } from '#src/web/list/rows/amountWidth.ts';
import { fitList, guessSize } from '#src/web/list/rows/columnFit.ts';
import { drawStatic } from './drawStatic.ts';
import type { CellContext } from '#src/web/list/rows/cellContext.ts';
import { drawCell, drawRow, startsNewDay } from '#src/web/list/rows/listCells.tsx';
import { rowIndexer } from '#src/web/list/rows/rowIndex.ts';
import { DEPOSITS, type ListColumns, NOTE, visibleFields, WITHDRAWALS } from '#src/web/resources/listColumns.ts';

/** In narrower windows the filters may wrap. */
const MIN_WIDTH_REM = 60;

function onlyReact(): never {
  throw new TypeError('Only React can draw it.');
}

/** The list page down to its rows; null if only the app can render it. */
function drawPage(look: ListColumns<ListRow>, at: string, text: string | null): ReactElement | null {
  const preferences = preferencesFor(at, look.chart === true);
  const size = preferences && guessSize(preferences.compact);
  if (!size || size.cards || (size.width ?? 0) < MIN_WIDTH_REM) return null;
  const { zone } = preferences;
  const { fields, layout } = visibleFields(look, preferences.columns);
  const data = rowsOf(text, fields);
  if (data.length === 0) return null;
  const money = moneyOf(look.fields);
  const index = rowIndexer<ListRow>()([{ data, malformed: [] }]);
  const amountOf = (row: ListRow): unknown => money && valueOf(money, row);
  const width = amountWidth(index.rows, amountOf);
  const { shown, linkColumn, style } = fitList(size, width, layout);
  const hrefOf = (id: string) => rowPath(at, id);
  const odd = { amount: onlyReact, time: onlyReact };
  const { decimals } = width;
  const context: CellContext = {
    hrefOf,
    linkColumn,
    one: look.noun.one,
    amountOf,
    decimals,
    zone,
    amountsHidden: false,
    odd,
  };
  const drawn = fields.filter((field) => shown.includes(columnId(field)));
  const cellsOf = (row: ListRow) =>
    drawn.map((field) => {
      const of = { column: columnId(field), row, value: valueOf(field, row), context, seen: false };
      return drawCell(field, row, of);
    });
  const { row: height } = size;
  const inSight = data.slice(0, Math.ceil(size.height / height) + 1);
  const rows = inSight.map((row, at) =>
    drawRow({ at, height, open: false, newDay: startsNewDay(index, at, zone) }, cellsOf(row)),
  );
  const heads = drawn.map((field) => (
    <div key={field.name} className={`cell c-${columnId(field)}`}>
      {field.kind === 'time' ? (
        <button type="button">
          Created <span className="zone">{zoneName(zone)}</span>
        </button>
      ) : (
        headOf(field)
      )}
    </div>
  ));
  // Invisible, as high as the app’s buttons.
  const control = <span className="btn" style={{ visibility: 'hidden' }} />;
  return (
    <div className="list-page">
      <div className="page-head">
        <h1>{look.title}</h1>
        {control}
      </div>
      <div className="filters">{control}</div>
      <div className="list-split">
        <div className="list-place">
          <div className="list-scroll">
            <div className="list-table" style={style}>
              <div className="list-head">
                <div className="list-head-row">{heads}</div>
              </div>
              <div className="list-body" style={{ height: index.count * height }}>
                {rows}
              </div>
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

/** The rows of a response; none unless every drawn field of all of them is valid. */
function rowsOf(text: string | null, drawn: readonly ListField<ListRow>[]): readonly ListRow[] {
  const answer = parseJson(text ?? '');
  const data = isObject(answer) ? answer['data'] : undefined;
  const isRow = (item: unknown): item is ListRow =>
    isObject(item) &&
    [item['id'], item['asset']].every((text) => typeof text === 'string' && text !== '') &&
    drawn.every(({ kind, name }) => {
      // The team's notes are loaded later, and not from the service.
      if (name === NOTE.name) return true;
      return kind === 'time' ? isPlausibleTime(item[name]) : isText(item[name]);
    });
  return Array.isArray(data) && data.every(isRow) ? data : [];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value === null;
}

interface ListPreferences {
  zone: Zone;
  compact: boolean;
  columns: readonly string[] | undefined;
}

/** The preferences for a list; null if they include something that only React renders. */
function preferencesFor(at: string, chart: boolean): ListPreferences | null {
  const stored = parseJson(window.localStorage.getItem(PREFERENCES_KEY) ?? '{}');
  if (!isObject(stored) || stored['hideAmounts'] === true || (chart && stored['chartShown'] === true)) return null;
  const columns = isObject(stored['columns']) ? stored['columns'][at] : undefined;
  const names: unknown[] | undefined = Array.isArray(columns) ? columns : undefined;
  if (names && !names.every((name) => typeof name === 'string')) return null;
  return {
    zone: stored['zone'] === 'local' ? 'local' : 'utc',
    compact: stored['density'] === 'compact',
    columns: names,
  };
}

const EARLY_COLUMNS: Record<EarlyList, ListColumns<ListRow>> = { deposits: DEPOSITS, withdrawals: WITHDRAWALS };

async function drawFirst(sheet: Element): Promise<void> {
  const { pathname, search } = window.location;
  const session = parseJson(document.getElementById('session')?.textContent ?? '');
  const name = keysOf(EARLY_COLUMNS).find((list) => LIST_PAGES[list].path === pathname);
  if (!name || search !== '' || !isObject(session) || session['journal_only'] === true) return;
  const account = session['account'];
  if (typeof account !== 'string') return;
  const url = withQuery(PROVIDER_LISTS[name].path, pageQuery({}, null, PAGE_SIZE));
  const [open, text] = await Promise.all([peekEarly(account, OPEN_OPERATIONS), peekEarly(account, url)]);
  // With open operations a banner is above the list.
  const page = hasNoOpenOperations(parseJson(open ?? '')) ? drawPage(EARLY_COLUMNS[name], pathname, text) : null;
  if (!page || !sheet.isConnected) return;
  drawStatic(page, sheet);
  const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  // A background tab paints nothing.
  const drawn = Promise.race([painted, after(PAINT_TIMEOUT_MS)]);
  noteFirstRows(drawn);
  await drawn;
}

function after(milliseconds: number): Promise<unknown> {
  return new Promise((over) => setTimeout(over, milliseconds));
}

const PAINT_TIMEOUT_MS = 200;
/** The app starts after the rows are painted, because loading its modules would delay them, but waits no longer than this. */
const APP_START_TIMEOUT_MS = 200;

const app = document.currentScript?.dataset['app'];
const sheet = document.querySelector('[data-static-sheet]');
const drawn = sheet ? drawFirst(sheet).catch(() => undefined) : Promise.resolve();
if (app !== undefined)
  void Promise.race([drawn, after(APP_START_TIMEOUT_MS)]).then(() => import(/* @vite-ignore */ app));
