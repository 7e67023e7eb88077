export function BrandMark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden>
      <path d="M5 3.5v17M9.7 3.5v17M14.3 3.5v17M19 3.5v17M1.5 17.6 22.5 6.4" />
    </svg>
  );
}
