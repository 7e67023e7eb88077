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
    <div className="compared">
      <dl>
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
        <bdi className="chunks">
          {groups.map(({ at, text, differs }) => {
            const four = shown.slice(at, at + text.length);
            return (
              <Fragment key={at}>
                {differs ? <mark>{four}</mark> : <span>{four}</span>}
                <wbr />
              </Fragment>
            );
          })}
        </bdi>
      </dd>
    </div>
  );
}
