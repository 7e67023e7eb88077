import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '#src/api/session.ts';
import { visible } from '#src/lib/text.ts';
import { removeView, saveView, useViews } from '#src/remembered/views.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { FilterControl, useCloseFilter } from './FilterControl.tsx';

/** The filters of this list that a person keeps by name, each a link; and the way to keep those on screen. */
export function SavedViews({ path }: { path: string }) {
  const session = useSession();
  const owner = session ? `${session.service} ${session.account}` : '';
  const views = useViews(owner).filter((view) => view.path === path);
  const { search } = useLocation();
  const here = search.replace(/^\?/, '');
  const open = views.find((view) => view.search === here);
  return (
    <FilterControl label="Views" value={open?.name ?? (views.length === 0 ? 'none' : String(views.length))} set={false}>
      <Views owner={owner} path={path} here={here} />
    </FilterControl>
  );
}

function Views({ owner, path, here }: { owner: string; path: string; here: string }) {
  const close = useCloseFilter();
  const views = useViews(owner).filter((view) => view.path === path);
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    saveView(owner, { name, path, search: here });
    close();
  };
  return (
    <form onSubmit={submit} className="contents">
      {views.length > 0 && (
        <ul className="filter-views">
          {views.map((view) => (
            <li key={view.name}>
              <Link
                to={{ pathname: path, search: view.search }}
                aria-current={view.search === here ? 'true' : undefined}
                onClick={close}
              >
                <bdi>{visible(view.name)}</bdi>
              </Link>
              <button
                type="button"
                className="filter-clear"
                aria-label={`Remove view ${visible(view.name)}`}
                onClick={() => removeView(owner, view)}
              >
                <X className="icon-s" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label="Keep these filters as"
        help={here === '' ? 'Set a filter first; all rows need no view.' : 'Kept in this browser, for this account.'}
      >
        {(control) => (
          <input
            {...control}
            className={inputClass}
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        size="small"
        reasonHidden
        disabledReason={here === '' ? 'No filter is set' : name.trim() === '' ? 'It needs a name' : undefined}
      >
        Keep view
      </Button>
    </form>
  );
}
