import { numberWords } from '#src/lib/count.ts';
import { visible } from '#src/lib/text.ts';

/** What a page of paper can bear of one text. */
const MOST = 4000;

/** Text that somebody else wrote, in full as far as paper goes: without a button, for nobody can press one there. */
export function WholeText({ text, most = MOST }: { text: string; most?: number }) {
  if (text.length <= most) return <bdi className="raw-text">{visible(text)}</bdi>;
  return (
    <>
      <bdi className="raw-text raw-long">{visible(text.slice(0, most))}</bdi>{' '}
      <span className="sub">
        (cut here: {numberWords(most)} of {numberWords(text.length)} characters)
      </span>
    </>
  );
}
