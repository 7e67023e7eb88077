import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useDocumentTitle } from '#src/ui/documentTitle.ts';
import './list.css';

interface DetailPanelProps {
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
export function DetailPanel({ title, documentTitle, listPath, actions, children }: DetailPanelProps) {
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
  return (
    <section aria-label={title}>
      <div className="panel-head">
        <h2 tabIndex={-1} data-page-title>
          {title}
        </h2>
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
      <div className="panel-body">{children}</div>
    </section>
  );
}
