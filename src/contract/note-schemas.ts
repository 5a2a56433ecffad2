import * as limits from '../limits.js'
import { NOTE_CERTAINTIES, NOTE_KINDS } from '../snapshot/format.js'
import { code, count, type Json, list, object, patterned, ref, string } from './schema-parts.js'

export const NOTE_SCOPE = patterned('^(?:[0-9]{2}|S[0-9]{2}|rules)$')

const cut = (items: Json, max: number): Json =>
  object({
    items: list(items, max),
    total: { ...count, description: 'Number of all entries, including those that are not shown' },
  })

export const noteSchemas: Record<string, Json> = {
  Note: object({
    scope: {
      ...string,
      examples: ['85', 'S16', 'rules', '8541, 8542'],
      description: 'rules, a section, a code, or several of them separated by a comma and a space',
    },
    kind: {
      type: 'string',
      enum: NOTE_KINDS,
      description:
        'excludes: goods that the scope does not cover; defines: the meaning of a word; includes: goods that the scope also covers; prefers: which of ' +
        'several codes takes precedence; rule: any other rule',
    },
    number: { ...string, examples: ['Chapter 85, note 1(a)', 'Section XVI, note 2', 'General rule 3(b)'] },
    text: { ...ref('Description'), description: 'A summary in our own words; only the legal text is binding' },
    goes_to: { type: 'array', items: code, description: 'The codes that the goods belong to; empty if no code can be named' },
    certainty: {
      type: 'string',
      enum: NOTE_CERTAINTIES,
      description: 'published: read in a published text; general: from general knowledge of the nomenclature',
    },
  }),
  ScopeNotes: object({ scope: NOTE_SCOPE, notes: { type: 'array', items: ref('Note') } }),
  NoteList: cut(ref('Note'), limits.NOTES_MAX),
  AllNotes: object({ items: { type: 'array', items: ref('Note') }, total: count }),
  Pointer: object({
    what: { ...ref('Description'), description: 'Goods that people look for under this code' },
    hs_code: { ...code, description: 'The code that they belong to' },
    description: ref('Description'),
  }),
  PointerList: cut(ref('Pointer'), limits.SEE_ALSO_MAX),
}
