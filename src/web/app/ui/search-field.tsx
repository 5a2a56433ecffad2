// biome-ignore-all lint/a11y: a combobox by the ARIA pattern, whose list never has the focus; the box handles the keys
/** The search box and its suggestions. The build renders it into every page, and the browser hydrates it. */
import type { Ref } from 'preact'
import type { Suggestion } from '../../../answers/shapes.js'
import type { Piece } from '../text/mark.js'
import type { Language, Strings } from '../text/strings.js'
import { Icon, showCode, showMarks } from './parts.js'

/** Id of the form of the search box; the list of countries in the header belongs to the form, too. */
export const SEARCH_FORM = 'search'

interface Props {
  t: Strings
  lang: Language
  options?: readonly Suggestion[]
  /** Index of the active option; -1 for none. */
  active?: number
  isEmpty?: boolean
  marks?: (text: string) => readonly Piece[]
  box?: Ref<HTMLInputElement>
  list?: Ref<HTMLUListElement>
  onInput?: () => void
  onKey?: (event: KeyboardEvent) => void
  onSubmit?: (event: Event) => void
  onClear?: () => void
  onChoose?: (option: Suggestion) => void
}

/** Maximum length of a title. */
const CHARS_MAX = 500

export function SearchField({ t, lang, options = [], active = -1, isEmpty = true, marks, ...props }: Props) {
  return (
    <>
      <form id={SEARCH_FORM} class="search" role="search" action="/" autocomplete="off" onSubmit={props.onSubmit}>
        {/* keeps the language if Enter is pressed before the script runs */}
        <input type="hidden" name="lang" value={lang} />
        <label class="unseen" for="q">
          {t.searchLabel}
        </label>
        <Icon name="search" />
        <input
          ref={props.box ?? null}
          id="q"
          name="q"
          type="text"
          dir="auto"
          maxlength={CHARS_MAX}
          enterkeyhint="search"
          autocapitalize="off"
          spellcheck={false}
          placeholder={t.searchHint}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls="suggestions"
          aria-activedescendant={active >= 0 ? `option-${active}` : undefined}
          aria-keyshortcuts="/ Control+K Meta+K"
          onInput={props.onInput}
          onKeyDown={props.onKey}
        />
        <button type="button" id="clear" class="square" aria-label={t.clear} hidden={isEmpty} onClick={props.onClear}>
          <Icon name="close" />
        </button>
        <span class="keys" aria-hidden="true">
          <kbd dir="ltr">/</kbd>
          <kbd dir="ltr" data-keys>
            Ctrl K
          </kbd>
        </span>
      </form>
      <ul
        ref={props.list ?? null}
        id="suggestions"
        role="listbox"
        aria-orientation="horizontal"
        aria-label={t.suggestions}
        hidden={options.length === 0}
        // the box keeps the focus, so that the arrow keys still work
        onMouseDown={event => event.preventDefault()}
      >
        {options.map((option, at) => (
          <li
            key={option.text}
            role="option"
            id={`option-${at}`}
            aria-selected={at === active}
            onClick={() => props.onChoose?.(option)}
          >
            <span class="option-text" lang={option.lang} dir="auto">
              {marks ? showMarks(marks(option.text)) : option.text}
            </span>{' '}
            <span class="home">{showCode(option.hs_code)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
