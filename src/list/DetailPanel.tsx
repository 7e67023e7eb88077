import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useDocumentTitle } from '#src/ui/documentTitle.ts';
import './list.css';
import { StepButtons } from './StepButtons.tsx';
import { useStepsHere } from './steps.ts';

interface DetailPanelProps {
  /** Of what is shown: another one is another body, at its top, under the same head. */
  id?: string;
  /** The noun in the head: "Deposit". */
  title: string;
  /** The window's title: "Deposit dep_9fK…x7Qd". */
  documentTitle: string;
  /** Path of the list; its search string is kept. */
  listPath: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A detail beside its list, closed by Escape too, or in the list's place where there is no room for both; Close leads back to the same list. */
export function DetailPanel({ id, title, documentTitle, listPath, actions, children }: DetailPanelProps) {
  const { search } = useLocation();
  useDocumentTitle(documentTitle);
  const navigate = useNavigate();
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    void navigate({ pathname: listPath, search });
  });
  useEffect(() => {
    document.addEventListener('keydown', escape);
    return () => document.removeEventListener('keydown', escape);
  }, []);
  const note = useStepsHere()?.note;
  const [why, setWhy] = useState<{ of: string | undefined; words: string | null } | null>(null);
  const said = note ?? (why?.of === id ? why?.words : null);
  return (
    <section aria-label={title}>
      <div className="panel-head">
        <h2 tabIndex={-1} data-page-title>
          {title}
        </h2>
        <StepButtons onWhy={(words) => setWhy({ of: id, words })} />
        {actions}
        <Link
          className="icon-btn"
          to={{ pathname: listPath, search }}
          aria-label="Close"
          data-tip="Close, back to the list"
        >
          <X className="icon-s" aria-hidden />
        </Link>
      </div>
      <output className="panel-note">{said}</output>
      <div className="panel-body" key={id} ref={toTop}>
        {children}
      </div>
    </section>
  );
}

/** Another body under the same head begins at its top. */
function toTop(body: HTMLElement | null): void {
  body?.closest('.list-detail')?.scrollTo(0, 0);
}
