/** Instructions for a model on how to classify: the order of work, the tool for each step, and when to ask. */
export const METHOD = `# How to classify goods

1. Identify the goods: what they are, what they are made of, what they are for, how they are presented (set, part, unassembled,
   retail packing). Do not ask the user for what the text already says.
2. Propose: classify_goods with the text. A clear first candidate needs no question.
3. Read the notes: get_hs_code shows what a code excludes ("not here: … goes to …") and what words mean. If a note or a pointer names
   the goods, go to the code that it names. hsapi://notes/{chapter} and hsapi://notes/S{section} have all notes.
4. Choose the heading (4 digits) by the wording of headings and by notes, before looking at subheadings: general rule 1.
   For incomplete, unassembled or mixed goods and for sets, apply rules 2 and 3; hsapi://notes/rules has all rules.
5. Choose the subheading (6 digits) among those of that heading only: rule 6. Where several fit, compare_hs_codes gives the fact that
   decides. If neither the text nor the user states that fact, ask that one question, with its answers.
6. Go down to the line: get_hs_code names the line that goods are declared on, or the codes to choose from.
7. Verify: verify_hs_code with the text and the code. If the verdict is contradicts, start again from the codes that the answer calls better.
8. Answer with the code, its words, why this code and not the next best one, what is uncertain, and that rates are indicative and must be
   verified with the customs authority. Name only codes that a tool returned.
`
