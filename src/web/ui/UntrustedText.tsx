import { Fragment, useState, type ClipboardEvent } from 'react';
import { numberWords, shorten, revealHidden, visibleCode } from '#src/shared/text.ts';

interface UntrustedTextProps {
  value: string;
  /** Characters shown; the rest is behind a button. */
  max?: number;
  mono?: boolean;
  /** It is an asset code, in which look-alike letters are shown by name. */
  code?: boolean;
  /** The full text is in a tooltip instead of behind a button: for links, buttons and short rows. */
  brief?: boolean;
}

/** Text from outside: isolated, with control characters visible, clipped with the full text on demand. */
export function UntrustedText({ value, max = 300, mono = false, code = false, brief = false }: UntrustedTextProps) {
  const textOf = code ? visibleCode : revealHidden;
  const [whole, setWhole] = useState(false);
  const look = mono ? 'raw-text mono' : 'raw-text';
  if (value.length <= max)
    return (
      <bdi className={look} translate="no">
        {textOf(value)}
      </bdi>
    );
  if (brief) return <bdi className={look} translate="no" data-tip={value}>{`${textOf(value.slice(0, max))}…`}</bdi>;
  return (
    <>
      <bdi className={`${look} raw-long`} translate="no">
        {textOf(whole ? value : value.slice(0, max))}
      </bdi>
      {!whole && '… '}
      <button type="button" className="btn btn-small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : `Show all ${numberWords(value.length)} characters`}
      </button>
    </>
  );
}

function copyWhole(event: ClipboardEvent<HTMLElement>, value: string): void {
  event.clipboardData.setData('text/plain', value);
  event.preventDefault();
}

/** Head…tail of an id; the full id as tooltip and on copy. */
export function ShortId({ value }: { value: string }) {
  return (
    <bdi className="id whitespace-nowrap" translate="no" data-tip={value} onCopy={(event) => copyWhole(event, value)}>
      <span aria-hidden>{shorten(value)}</span>
      <span className="vh">{revealHidden(value)}</span>
    </bdi>
  );
}

/** An address in groups of four, separated by margins so that a selection copies it without gaps, and its length. */
export function GroupedAddress({ value }: { value: string }) {
  const groups = Array.from(value.match(/[\s\S]{1,4}/g) ?? [], (text, index) => ({ text, at: index * 4 }));
  return (
    <>
      <bdi className="chunks" translate="no">
        {groups.map(({ text, at }) => (
          <Fragment key={at}>
            <span>{text}</span>
            <wbr />
          </Fragment>
        ))}
      </bdi>
      <span className="small dim block">{value.length} characters</span>
    </>
  );
}
