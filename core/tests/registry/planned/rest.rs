//! The plan of the other tools: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 4] =
    [(Tool::Search, SEARCH), (Tool::Tag, TAG), (Tool::System, SYSTEM), (Tool::Flashcard, FLASHCARD)];

const SEARCH: &str = "\
semantic(query,types?,notebook?,under?,limit?,cursor?) Find blocks by meaning, with the embedding model set up in SiYuan.
";

const TAG: &str = "\
subtags bool Whether subtags go too.
words keep|drop Whether the words of a tag stay as plain text.
remove(kind?,label,notebook?,subtags?,words?) Remove a tag or a bookmark wherever you can see it; the words of a tag stay as plain text.
";

const SYSTEM: &str = "\
section editor|export|file_tree|search|flashcard|appearance|sync Only this section.
version text Only this version.
since text Only what is newer than this version.
limit int:1..100 Most items.
cursor text The `next` of an earlier answer, to go on there.
message text Plain text.
level info|error What kind of message.
seconds int:1..300 How long it is shown.
question text What to ask.
options [text] Answers to choose from.
allow_text bool Whether the person may write an answer.
id id The document or block.
focus bool Whether it comes to the front.
zoom bool Whether the block is shown alone.
open bool Whether the document is opened when it is not.
parts [documents|tree|tags|databases] What is shown anew.
database id The database.
tagged bool Only those with a tag.
memo text What it is for.
tag text A tag, so that it is kept.
get_config(section?) Show settings that matter to somebody who edits notes.
get_changelog(version?,since?,limit?) Read what changed in this plugin.
notify(message,level?,seconds?) Show a short message in SiYuan.
ask_user(question,options?,allow_text?,seconds?) Ask the person at the screen a question and wait for the answer.
get_ui_state() Tell which documents are open, which one is in front, where the cursor is and what is selected.
open_document(id,focus?,zoom?) Open a document, or a block in its document, in SiYuan.
scroll_to_block(id,open?) Scroll to a block in the open document and highlight it.
reload_ui(parts?,id?,database?) Make open windows show the current state again: after files changed outside SiYuan.
sync() Sync the workspace with the user's cloud now.
list_snapshots(tagged?,limit?,cursor?) List the snapshots of the workspace.
create_snapshot(memo,tag?) Save the state of the whole workspace, to come back to.
";

const FLASHCARD: &str = "\
deck text Id or exact name of a deck.
notebook notebook Only in this notebook, by id or exact name.
under id Only this document and the documents below it.
state all|new|due|learned Only cards in this state.
limit int:1..100 Most items.
cursor text The `next` of an earlier answer, to go on there.
budget int:100..32000 About how many tokens of text.
only all|new|old Only new cards, or old ones.
answers bool Whether the backs are shown.
ids [id] Ids of the cards' blocks.
id id The card's block.
rating again|hard|good|easy|skip How well it was known.
reviews [{id:id,rating:again|hard|good|easy|skip}] Several cards, each with its rating.
due text Date or time at which they are due.
reset bool Whether the learning history is forgotten.
name text Name of the deck.
list_decks() List the decks.
list_cards(deck?,notebook?,under?,state?,limit?,cursor?,budget?) List cards, due or not, of a deck, notebook or document.
list_due(deck?,notebook?,under?,only?,answers?,limit?) List the cards to review now, with the next interval of each rating.
add_cards(ids,deck?) Turn blocks into flashcards.
remove_cards(ids,deck?) Remove cards with their learning history; the blocks stay.
review_card(id+rating|reviews,deck?) Rate a card, or skip it for today.
reschedule_cards(ids,deck?,due|reset) Set when cards are due, or start them anew.
create_deck(name) Create a deck.
";
