import { Fragment, type ReactNode } from 'react';
import { type ChainAddress, normalAddress } from '#src/shared/chains/lookAlike.ts';

interface Labelled extends ChainAddress {
  label: ReactNode;
}

export function AddressDiff({ one, other, children }: { one: Labelled; other: Labelled; children?: ReactNode }) {
  return (
    <section className="grid justify-items-start gap-2 py-3">
      <dl className="grid gap-1">
        <Row of={one} other={other} />
        <Row of={other} other={one} />
      </dl>
      <p>{differenceInWords(normalAddress(one.chain, one.address), normalAddress(other.chain, other.address))}</p>
      {children}
    </section>
  );
}

function Row({ of, other }: { of: Labelled; other: Labelled }) {
  const { label, address } = of;
  const form = normalAddress(of.chain, of.address);
  const shown = address.length === form.length ? address : form;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi className="block font-mono text-small leading-6 wrap-anywhere" translate="no">
          {groupsOfFour(form, normalAddress(other.chain, other.address)).map(({ at, text, differs }) => {
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

interface AddressGroup {
  at: number;
  text: string;
  differs: boolean;
}

/** A text in groups of four, compared with another from both ends, so that a longer middle does not shift the tail. */
export function groupsOfFour(text: string, other: string): AddressGroup[] {
  const [head, tail] = commonEnds(text, other);
  const differsAt = (at: number): boolean =>
    at >= head && at < text.length - tail && (text.length !== other.length || text.charAt(at) !== other.charAt(at));
  const groups: AddressGroup[] = [];
  for (let at = 0; at < text.length; at += 4) {
    const group = text.slice(at, at + 4);
    groups.push({ at, text: group, differs: [0, 1, 2, 3].some((offset) => differsAt(at + offset)) });
  }
  return groups;
}

/** How many characters two texts share at their beginnings and, of the rest, at their ends. */
function commonEnds(a: string, b: string): [number, number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a.charAt(head) === b.charAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return [head, tail];
}

export function differenceInWords(text: string, other: string): string {
  const [head, tail] = commonEnds(text, other);
  const last = text.length - tail;
  const where = last > head + 1 ? `Characters ${head + 1} to ${last} differ` : `Character ${head + 1} differs`;
  const lengths = text.length === other.length ? '' : `, and one is ${text.length} long, the other ${other.length}`;
  return `${where}${lengths}. Only the beginning and the end are alike.`;
}
