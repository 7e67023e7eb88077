import { X, ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, use, useEffect, useEffectEvent, useState, useId } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useDocumentTitle } from '#src/web/ui/PageHeader.tsx';
import { isOverlaid } from '#src/web/ui/Keys.tsx';
import { PrevNextContext, type Step } from './prevNext.ts';

interface DetailPanelProps {
  /** Id of the item shown: another id replaces the body and scrolls to its top, under the same head. */
  id?: string;
  title: string;
  documentTitle: string;
  /** Path of the list; its search string is kept. */
  listPath: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A detail beside its list, or instead of it if there is no room for both. Close and Escape lead back to the same list. */
export function DetailPanel({ id, title, documentTitle, listPath, actions, children }: DetailPanelProps) {
  const { search } = useLocation();
  useDocumentTitle(documentTitle);
  const navigate = useNavigate();
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isOverlaid()) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    void navigate({ pathname: listPath, search });
  });
  useEffect(() => {
    document.addEventListener('keydown', escape);
    return () => document.removeEventListener('keydown', escape);
  }, []);
  const note = use(PrevNextContext)?.note;
  const [why, setWhy] = useState<{ of: string | undefined; words: string | null } | null>(null);
  const said = note ?? (why?.of === id ? why?.words : null);
  return (
    <section aria-label={title}>
      <div className="panel-head sticky top-0 z-1 flex min-h-(--head-row) items-center gap-2 border-b border-rule-strong bg-inset pr-3 pl-4 text-label text-ink-2 narrow:min-h-11">
        <h2 className="mr-auto text-label" tabIndex={-1} data-page-title ref={focusUnlessTaken}>
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
      <output className="block border-b border-rule px-4 py-2 text-small text-ink-2 empty:hidden">{said}</output>
      <div
        className="grid grid-cols-1 gap-4 p-4 medium:max-w-measure narrow:max-w-none [&_.code]:mt-2"
        key={id}
        ref={toTop}
      >
        {children}
      </div>
    </section>
  );
}

/** Focuses the heading if nothing has the focus yet, as when the detail was opened by a link and not from the list. */
function focusUnlessTaken(heading: HTMLElement | null): void {
  if (document.activeElement === document.body) heading?.focus({ preventScroll: true });
}

function toTop(body: HTMLElement | null): void {
  body?.closest('.list-detail')?.scrollTo(0, 0);
}

/** Buttons that open the rows before and after the open one. A disabled button gives its reason. */
export function StepButtons({ onWhy }: { onWhy: (why: string | null) => void }) {
  const steps = use(PrevNextContext);
  if (!steps) return null;
  const { noun, previous, next, reading } = steps;
  return (
    // The focus stays on the button while the detail beside it changes.
    <span className="inline-flex" data-keeps-focus>
      <StepButton label={`Previous ${noun}`} step={previous} onWhy={onWhy}>
        <ChevronUp className="icon-s" aria-hidden />
      </StepButton>
      <StepButton label={`Next ${noun}`} step={next} busy={reading} onWhy={onWhy}>
        <ChevronDown className="icon-s" aria-hidden />
      </StepButton>
    </span>
  );
}

interface StepButtonProps {
  label: string;
  step: Step;
  busy?: boolean;
  onWhy: (why: string | null) => void;
  children: ReactNode;
}

function StepButton({ label, step, busy = false, onWhy, children }: StepButtonProps) {
  const whyId = useId();
  const why = 'why' in step ? step.why : null;
  return (
    <>
      <button
        type="button"
        className="icon-btn aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
        aria-label={label}
        aria-disabled={why !== null || undefined}
        aria-describedby={why === null ? undefined : whyId}
        aria-busy={busy}
        data-tip={why === null ? label : `${label}: ${why}`}
        onClick={() => {
          onWhy(why);
          if ('go' in step) step.go();
        }}
      >
        {children}
      </button>
      {why !== null && (
        <span id={whyId} className="vh">
          {why}
        </span>
      )}
    </>
  );
}
