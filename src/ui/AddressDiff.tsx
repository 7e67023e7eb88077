import { Fragment, type ReactNode } from 'react';
import { type Four, differenceInWords, groupsOfFour } from '#src/lib/groupOfFour.ts';

interface Compared {
  label: ReactNode;
  value: string;
  /** The value as it is compared, character by character. */
  form: string;
}

/** Two texts in full, one under the other in fours, with the groups marked that differ. */
export function AddressDiff({ one, other }: { one: Compared; other: Compared }) {
  return (
    <div className="grid gap-2">
      <dl className="grid gap-1">
        <Row {...one} groups={groupsOfFour(one.form, other.form)} />
        <Row {...other} groups={groupsOfFour(other.form, one.form)} />
      </dl>
      <p>{differenceInWords(one.form, other.form)}</p>
    </div>
  );
}

function Row({ label, value, form, groups }: Compared & { groups: Four[] }) {
  const shown = value.length === form.length ? value : form;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi className="block font-mono text-small leading-6 wrap-anywhere">
          {groups.map(({ at, text, differs }) => {
            const four = shown.slice(at, at + text.length);
            return (
              <Fragment key={at}>
                <Group differs={differs}>{four}</Group>
                <wbr />
              </Fragment>
            );
          })}
        </bdi>
      </dd>
    </div>
  );
}

function Group({ differs, children }: { differs: boolean; children: string }) {
  if (!differs) return <span className="mr-[0.75em] text-ink-2">{children}</span>;
  return (
    <mark className="mr-[0.75em] bg-transparent font-semibold text-ink underline decoration-2 underline-offset-[0.25em]">
      {children}
    </mark>
  );
}
