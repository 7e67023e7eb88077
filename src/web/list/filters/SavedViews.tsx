import { useRefusal } from '#src/web/api/permissions.ts';
import { X } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useTeam, useTeamChange } from '#src/web/api/team.ts';
import { type SavedView, type TeamItem, viewId } from '#src/shared/contract/teamContract.ts';
import { revealHidden } from '#src/shared/text.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { InputField } from '#src/web/ui/Field.tsx';
import { useCloseFilter, useEarlyText } from './FilterControl.tsx';
import { readChoice, withParams } from '#src/shared/searchParams.ts';
import type { Zone } from '#src/shared/time.ts';
import { ANY_TIME } from '#src/shared/createdRange.ts';
import { boundsOfPeriod, PERIOD_NAMES } from './periods.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

type View = TeamItem<SavedView>;

/** The search string of a saved view. For a view with a period such as "this month", the days are those of today. */
function currentSearch(search: string, zone: Zone): string {
  const params = new URLSearchParams(search);
  const period = readChoice(params, 'period', PERIOD_NAMES);
  return period === undefined
    ? search
    : withParams(params, { ...ANY_TIME, ...boundsOfPeriod(period, zone) }).toString();
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The team's saved views of a list, sorted by name, and the one that is open. */
function useViews(path: string) {
  const zone = useZone();
  const { data, error } = useTeam('views');
  const here = useLocation().search.replace(/^\?/, '');
  const views = (data?.items ?? [])
    .filter(({ value }) => value.path === path)
    .map((view): View => ({ ...view, value: { ...view.value, search: currentSearch(view.value.search, zone) } }))
    .sort((a, b) => byName.compare(a.value.name, b.value.name));
  return { views, unreadable: error !== null, here, open: views.find(({ value }) => value.search === here) };
}

export function OpenView({ path }: { path: string }) {
  const { views, open } = useViews(path);
  if (open) return <span translate="no">{revealHidden(open.value.name)}</span>;
  return views.length === 0 ? null : <>{views.length}</>;
}

export function SavedViews({ path }: { path: string }) {
  const refusal = useRefusal('annotate');
  const { views, unreadable, here } = useViews(path);
  const close = useCloseFilter();
  const { mutateAsync, error, isPending } = useTeamChange('views');
  const earlyText = useEarlyText();
  const [name, setName] = useState(() => earlyText.current);
  const field = useRef<HTMLInputElement>(null);
  const isSaved = views.some(({ value }) => value.search === here);
  // Unsaved filters: the person is most likely here to save them.
  useEffect(() => {
    if (here !== '' && !isSaved) field.current?.focus();
  }, [here, isSaved]);
  // The error is shown below from the mutation.
  const change = (input: Parameters<typeof mutateAsync>[0]) => mutateAsync(input).catch(() => null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const value = { name: name.trim(), path, search: here };
    if (value.name === '' || isPending) return;
    const same = views.find((view) => view.id === viewId(value));
    if (await change({ id: viewId(value), value, revision: same?.revision ?? 0 })) close();
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="contents">
      {unreadable && <p className="msg msg-open">The views of your team couldn’t be loaded.</p>}
      {views.length > 0 && (
        <ul className="filter-views">
          {views.map(({ id, revision, value: view }) => (
            <li key={id} className="flex items-stretch">
              <Link
                className="min-w-0 flex-1 px-3 py-1.5 wrap-anywhere"
                to={{ pathname: path, search: view.search }}
                aria-current={view.search === here ? 'true' : undefined}
                onClick={close}
              >
                <UntrustedText value={view.name} brief />
              </Link>
              {refusal === undefined && (
                <button
                  type="button"
                  className="filter-clear"
                  aria-label={`Remove view ${revealHidden(view.name)}`}
                  onClick={() => {
                    // The button is about to disappear with its row.
                    field.current?.focus();
                    void change({ id, value: null, revision }).then((done) => done !== null && announce('Removed'));
                  }}
                >
                  <X className="icon-s" aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <InputField
        label="Save these filters as"
        help={here === '' ? 'Set a filter to save a view.' : 'Shared with everyone who signs in to this account.'}
        ref={field}
        value={name}
        maxLength={60}
        onChange={({ target }) => setName(target.value)}
      />
      {error && <TeamProblem error={error} heading="Couldn’t save the view" theirs={['search']} />}
      <Button
        type="submit"
        size="small"
        reasonHidden
        disabledReason={
          refusal ?? (here === '' ? 'Set a filter first' : name.trim() === '' ? 'Enter a name' : undefined)
        }
      >
        Save view
      </Button>
    </form>
  );
}
