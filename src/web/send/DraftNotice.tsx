import { Button } from '#src/web/ui/Button.tsx';
import { ShortTime } from '#src/web/ui/Time.tsx';

interface DraftNoticeProps {
  /** Follows "Continuing", such as "your draft". */
  what: string;
  /** When it was kept, Unix seconds. */
  at: number;
  disabledReason?: string | undefined;
  onStartOver: () => void;
}

/** Says that a form was filled in on an earlier visit, so that no one sends its payments by mistake. */
export function DraftNotice({ what, at, disabledReason, onStartOver }: DraftNoticeProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border border-rule bg-inset px-3 py-2 text-small">
      <b>
        Continuing {what} of <ShortTime unix={at} />
      </b>
      <Button size="small" disabledReason={disabledReason} reasonHidden onClick={onStartOver}>
        Start over
      </Button>
    </div>
  );
}
