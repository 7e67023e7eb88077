import type { Param, Queries } from '#src/server/database/sql.ts';
import {
  ACTIVITY_GROUPS,
  type ActivityFacts,
  type ActivityGroup,
  type Activity,
  ACTS,
} from '#src/shared/contract/activityContract.ts';
import { COLLECTIONS } from '#src/shared/contract/teamContract.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';

export interface ActivityQuery {
  service: string;
  account: string;
  /** Only acts of this person; null for everybody's. */
  person: string | null;
  group: ActivityGroup | null;
  /** Only acts under exactly this name. */
  who: string | null;
  /** Unix seconds, exclusive, as in the contract's lists (section 5). */
  createdAfter: number | null;
  createdBefore: number | null;
  cursor: string | null;
  limit: number;
}

type Row = Record<'ref' | 'at' | 'source' | 'kind' | 'facts', string> &
  Record<'who' | 'person' | 'subject' | 'subject_name', string | null>;

/** Collections whose changes aren't listed. */
const UNLISTED = "('views')";

/** SQL list of the kinds whose subject is a person. */
const PERSON_ACTS = `(${Object.entries(ACTS)
  .flatMap(([kind, { subject }]) => (subject === 'person' ? [`'${kind}'`] : []))
  .join(', ')})`;

/** The rows of each source. `ref` is unique, and orders rows of the same time. For team data, `facts` is the item's value. */
const SOURCES: Record<string, { sql: string; groups: readonly ActivityGroup[] }> = {
  lines: {
    groups: ['payments', 'people'],
    sql: `select at, lpad(number::text, 20, '0') as ref, 'lines' as source, person, who, kind, subject, facts
          from activity.lines where service = $1 and (account = $2 or account is null)`,
  },
  'sign-ins': {
    groups: ['sign-ins'],
    sql: `select coalesce(opened_at, created_at) as at, 'in ' || id as ref, 'sign-ins' as source, person, name as who,
            case when opened_at is null then 'signed-in' else 'account-switched' end as kind, null as subject, '{}' as facts
          from people.sessions where service = $1 and account = $2
          union all
          select ended_at, 'out ' || id, 'sign-ins', person, name, 'signed-out', null, json_build_object('why', ended_why)::text
          from people.sessions where service = $1 and account = $2 and ended_at is not null`,
  },
  notes: {
    groups: ['notes'],
    sql: `select updated_at * 1000 as at, collection || ' ' || id || ' ' || lpad(revision::text, 9, '0') as ref, 'notes' as source,
            person, who, collection || case when deleted then '.removed' when revision = 1 then '.added' else '.changed' end as kind,
            id as subject, value as facts
          from (select collection, id, revision, deleted, value, person, who, updated_at from team.items
                  where service = $1 and account = $2
                union all
                select collection, id, revision, deleted, value, person, who, updated_at from team.history
                  where service = $1 and account = $2) revisions
          where collection not in ${UNLISTED}`,
  },
  exports: {
    groups: ['exports'],
    sql: `select at, id || suffix as ref, 'exports' as source, person, who, kind, null as subject,
            json_build_object('list', arguments::json ->> 'list', 'filters', (arguments::json -> 'filters')::text,
              'rows', rows::text, 'sha256', sha256)::text as facts
          from (select ended_at as at, id, '' as suffix, person, who, 'exported' as kind, arguments, rows, sha256
                  from jobs.runs where service = $1 and account = $2 and kind = 'export' and state = 'done'
                union all
                select p.at, id, ' ' || p.sha256, person, who, 'exported-partly', arguments, p.rows, p.sha256
                  from jobs.partial_downloads p join jobs.runs r on r.id = p.job
                  where service = $1 and account = $2) files`,
  },
};

/** The activity on an account, newest first. `next`: the next page's cursor; null on the last page. */
export async function readActivity(
  queries: Queries,
  query: ActivityQuery,
): Promise<{ data: Activity[]; next: string | null }> {
  const params: Param[] = [query.service, query.account];
  const placeholder = (value: Param): string => `$${params.push(value)}`;
  const { group, person, who, createdAfter, createdBefore, limit } = query;
  const kinds = Object.entries(ACTS).flatMap(([kind, rule]) => (rule.group === group ? [kind] : []));
  const where = [
    ...(person === null ? [] : [`person = ${placeholder(person)}`]),
    ...(who === null ? [] : [`who = ${placeholder(who)}`]),
    ...(createdAfter === null ? [] : [`at >= ${placeholder(String((createdAfter + 1) * 1_000))}::bigint`]),
    ...(createdBefore === null ? [] : [`at < ${placeholder(String(createdBefore * 1_000))}::bigint`]),
    ...(group === null || kinds.length === 0 ? [] : [`kind in (${kinds.map(placeholder).join(', ')})`]),
    ...placeBefore(query.cursor, placeholder),
  ];
  const most = placeholder(limit + 1);
  const orderOf = (rows: string) =>
    `order by ${rows}.at desc, ${rows}.source collate "C" desc, ${rows}.ref collate "C" desc limit ${most}`;
  const sources = Object.values(SOURCES)
    .filter(({ groups }) => group === null || groups.includes(group))
    .map(
      ({ sql }) =>
        `(select * from (${sql}) s ${where.length > 0 ? `where ${where.join(' and ')}` : ''} ${orderOf('s')})`,
    );
  const rows = await queries.query<Row>(
    `select merged.at::text as at, ref, source, person, who, kind, subject, facts,
       case when source = 'lines' and kind in ${PERSON_ACTS} then
         (select p.name from people.people p where p.id = merged.subject and p.service = $1) end as subject_name
     from (${sources.join(' union all ')}) merged ${orderOf('merged')}`,
    params,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(activityOf),
    next: rows.length > limit && last !== undefined ? `${last.at} ${last.source} ${last.ref}` : null,
  };
}

function placeBefore(cursor: string | null, given: (value: Param) => string): string[] {
  const [, at, source, ref] = /^(\d{1,16}) ([a-z-]+) (.+)$/s.exec(cursor ?? '') ?? [];
  if (at === undefined || source === undefined || ref === undefined) return [];
  return [
    `(at, source collate "C", ref collate "C") < (${given(at)}::bigint, ${given(source)}::text, ${given(ref)}::text)`,
  ];
}

function activityOf({ at, ref, source, person, who, kind, subject, subject_name, facts }: Row): Activity {
  return {
    id: `${source} ${ref}`,
    at: Math.floor(Number(at) / 1_000),
    group: groupOf(source, kind),
    kind,
    who,
    person,
    subject,
    subject_name,
    facts: source === 'notes' ? factsOfItem(kind, facts) : textsIn(parseJson(facts)),
  };
}

function groupOf(source: string, kind: string): ActivityGroup {
  const named = ACTIVITY_GROUPS.find((group) => group === source);
  return named ?? Object.entries(ACTS).find(([name]) => name === kind)?.[1].group ?? 'payments';
}

function textsIn(value: unknown): ActivityFacts {
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])),
  );
}

/** The members that identify the item. The text of notes is left out on purpose. */
const SHOWN = new Set(['name', 'chain', 'address', 'kind', 'id', 'mark', 'label']);

function factsOfItem(kind: string, value: string): ActivityFacts {
  const [collection = ''] = kind.split('.');
  const texts = textsIn(parseJson(value));
  if (!Object.hasOwn(COLLECTIONS, collection)) return {};
  return Object.fromEntries(Object.entries(texts).filter(([name]) => SHOWN.has(name)));
}
