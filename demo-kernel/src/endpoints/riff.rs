//! `/api/riff`: flashcards, their decks and their reviews.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::riff::{BUILT_IN, Deck, Due, Flashcard};
use crate::store::Db;

/// The attribute that lists the decks of a block.
const DECKS: &str = "custom-riff-decks";

/// A deck must exist; the real handler gives up otherwise.
fn need(db: &Db<'_>, id: &str) -> Result<Deck, Refusal> {
    db.deck(id)?.ok_or_else(Refusal::panicked)
}

pub(super) fn create_deck(kernel: &Kernel, args: &Args) -> Outcome {
    let mut deck = Deck::new(&crate::id::new_id(), args.text("name")?);
    kernel.store.write(|db| db.save_deck(&mut deck))?;
    Ok(deck.show())
}

/// All decks except the built-in one.
pub(super) fn decks(kernel: &Kernel, _: &Args) -> Outcome {
    kernel.store.read(|db| {
        let decks = db.decks()?;
        Ok(decks.iter().filter(|deck| deck.id != BUILT_IN).map(Deck::show).collect())
    })
}

pub(super) fn rename_deck(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, name) = (args.text("deckID")?, args.text("name")?);
    kernel.store.write(|db| {
        let mut deck = need(db, id)?;
        name.clone_into(&mut deck.name);
        db.save_deck(&mut deck)
    })?;
    Ok(Value::Null)
}

pub(super) fn remove_deck(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("deckID")?;
    kernel.store.write(|db| db.remove_deck(id))?;
    Ok(Value::Null)
}

pub(super) fn add_cards(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, blocks) = (args.text("deckID")?, args.texts("blockIDs")?);
    kernel.store.write(|db| add(db, id, &blocks))?;
    kernel.store.read(|db| Ok(need(db, id)?.show()))
}

/// Marks the blocks and gives them cards; for a missing deck the built-in one is created and stays empty.
pub(crate) fn add(db: &Db<'_>, id: &str, blocks: &[&str]) -> Result<(), Refusal> {
    if db.deck(id)?.is_none() && db.deck(BUILT_IN)?.is_none() {
        db.save_deck(&mut Deck::new(BUILT_IN, "Built-in Deck"))?;
    }
    for block in blocks {
        mark(db, block, |decks| {
            if !decks.iter().any(|deck| deck == id) {
                decks.push(id.to_owned());
            }
        })?;
    }
    let Some(mut deck) = db.deck(id)? else { return Ok(()) };
    deck.add(blocks);
    db.save_deck(&mut deck)
}

fn mark(db: &Db<'_>, block: &str, f: impl FnOnce(&mut Vec<String>)) -> Result<(), Refusal> {
    let Some(mut tree) = db.tree_of(block)? else { return Ok(()) };
    let Some(node) = tree.root.find_mut(block) else { return Ok(()) };
    let mut decks: Vec<String> = node.attrs.text(DECKS).split(',').map(str::to_owned).collect();
    decks.retain(|deck| !deck.is_empty());
    f(&mut decks);
    node.attrs.set(DECKS, &decks.join(","));
    db.save(&tree)
}

pub(super) fn remove_cards(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, blocks) = (args.text("deckID")?, args.texts("blockIDs")?);
    kernel.store.write(|db| remove(db, id, &blocks))?;
    if id.is_empty() {
        return Ok(Value::Null);
    }
    kernel.store.read(|db| Ok(need(db, id)?.show()))
}

/// Takes cards out of a deck, or out of all; marks of decks that do not exist go too.
pub(crate) fn remove(db: &Db<'_>, id: &str, blocks: &[&str]) -> Result<(), Refusal> {
    let known: Vec<String> = db.decks()?.into_iter().map(|deck| deck.id).collect();
    for block in blocks {
        mark(db, block, |decks| decks.retain(|deck| !id.is_empty() && deck != id && known.contains(deck)))?;
    }
    for deck in known.iter().filter(|deck| id.is_empty() || *deck == id) {
        let mut deck = need(db, deck)?;
        let before = deck.cards.len();
        deck.remove(blocks);
        if deck.cards.len() != before {
            db.save_deck(&mut deck)?;
        }
    }
    Ok(())
}

fn reviewed(args: &Args) -> Result<Vec<&str>, Refusal> {
    let Some(given) = args.get("reviewedCards") else { return Ok(Vec::new()) };
    let cards = given.as_array().ok_or_else(Refusal::panicked)?;
    let id = |card: &'_ Value| card.get("cardID").and_then(Value::as_str).map(str::to_owned);
    if cards.iter().any(|card| id(card).is_none()) {
        return Err(Refusal::panicked());
    }
    Ok(cards.iter().filter_map(|card| card.get("cardID")?.as_str()).collect())
}

/// The due cards of a deck; without an id, of the built-in one.
pub(super) fn due(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, reviewed) = (args.text("deckID")?, reviewed(args)?);
    kernel.store.write(|db| {
        let Some(deck) = db.deck(if id.is_empty() { BUILT_IN } else { id })? else {
            return Ok(if id.is_empty() { Due::default().show() } else { Due::of_nothing() });
        };
        Ok(db.due_cards(&deck, &reviewed, &BTreeSet::new(), (None, None))?.show())
    })
}

/// Only the built-in deck is looked at. A block that is none is as good as no restriction.
pub(super) fn due_in_tree(kernel: &Kernel, args: &Args) -> Outcome {
    let (root, reviewed) = (args.text("rootID")?, reviewed(args)?);
    kernel.store.write(|db| {
        let Some(deck) = db.deck(BUILT_IN)? else { return Ok(Due::of_nothing()) };
        let tree = db.tree_of(root)?;
        let attrs = tree.as_ref().and_then(|tree| tree.root.find(root)).map(|node| node.attrs.clone());
        let limit = |name: &str| attrs.as_ref().and_then(|attrs| attrs.get(name)?.parse().ok());
        let limits = (limit("custom-riff-new-card-limit"), limit("custom-riff-review-card-limit"));
        Ok(db.due_cards(&deck, &reviewed, &blocks_below(db, root)?, limits)?.show())
    })
}

pub(super) fn due_in_notebook(kernel: &Kernel, args: &Args) -> Outcome {
    let (notebook, reviewed) = (args.text("notebook")?, reviewed(args)?);
    kernel.store.write(|db| {
        if db.notebook(notebook)?.is_none() {
            let folder = kernel.workspace.join("data").join(notebook);
            return Err(Refusal::new(format!("open {}: no such file or directory", folder.display())));
        }
        let Some(deck) = db.deck(BUILT_IN)? else { return Ok(Due::of_nothing()) };
        Ok(db.due_cards(&deck, &reviewed, &blocks_of(db, notebook, "/")?, (None, None))?.show())
    })
}

/// The blocks of a document and its descendants; for a notebook's own document, of the whole notebook.
fn blocks_below(db: &Db<'_>, id: &str) -> Result<BTreeSet<String>, Refusal> {
    let Some(tree) = db.tree_of(id)? else { return Ok(BTreeSet::new()) };
    if tree.id() == id && tree.is_notebook() {
        return blocks_of(db, &tree.notebook, "/");
    }
    blocks_of(db, &tree.notebook, tree.path.trim_end_matches(".sy"))
}

fn blocks_of(db: &Db<'_>, notebook: &str, path: &str) -> Result<BTreeSet<String>, Refusal> {
    let place = format!("{notebook}{path}");
    let ids = db.column(
        "SELECT node.id FROM node JOIN tree ON tree.id = node.root JOIN notebook ON notebook.id = tree.box
         WHERE notebook.closed = 0 AND substr(tree.box || tree.path, 1, length(?1)) = ?1",
        &place,
    )?;
    Ok(ids.into_iter().collect())
}

/// The names of the fields, in the order of [`counts`].
pub(super) const COUNTS: [&str; 3] = ["newFlashcardCount", "dueFlashcardCount", "flashcardCount"];

/// The numbers of new, due and all cards of the built-in deck that blocks have; none where there are no cards.
pub(super) fn counts(db: &Db<'_>, notebook: &str, path: &str) -> Result<Option<[usize; 3]>, Refusal> {
    let (blocks, deck, now) =
        (blocks_of(db, notebook, path)?, db.deck(BUILT_IN)?, crate::moment::now_chrono());
    let cards: Vec<&Flashcard> = deck
        .iter()
        .flat_map(|deck| deck.cards.values())
        .filter(|card| blocks.contains(&card.block))
        .collect();
    let new = cards.iter().filter(|card| card.schedule.state == rs_fsrs::State::New).count();
    let due = cards.iter().filter(|card| card.schedule.due <= now).count();
    Ok((!cards.is_empty()).then_some([new, due, cards.len()]))
}

/// Which cards a list is about, and which page of it.
fn page(args: &Args) -> Result<(usize, usize), Refusal> {
    let number = |name: &str| args.get(name).map(|n| n.as_f64().ok_or_else(Refusal::panicked)).transpose();
    let page = number("page")?.ok_or_else(Refusal::panicked)?;
    let size = number("pageSize")?.unwrap_or(20.0);
    if page < 1.0 || size < 1.0 {
        return Err(Refusal::panicked());
    }
    Ok((page as usize, size as usize))
}

pub(super) fn cards(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, page) = (args.text("id")?, page(args)?);
    kernel.store.read(|db| {
        let decks = db.decks()?;
        let decks = decks.iter().filter(|deck| id.is_empty() || deck.id == id);
        let cards = decks.flat_map(|deck| &deck.cards).collect();
        show(db, cards, page)
    })
}

pub(super) fn cards_in_tree(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, page) = (args.text("id")?, page(args)?);
    kernel.store.read(|db| built_in_cards(db, &blocks_below(db, id)?, page))
}

pub(super) fn cards_in_notebook(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, page) = (args.text("id")?, page(args)?);
    kernel.store.read(|db| built_in_cards(db, &blocks_of(db, id, "/")?, page))
}

fn built_in_cards(db: &Db<'_>, blocks: &BTreeSet<String>, page: (usize, usize)) -> Outcome {
    let deck = db.deck(BUILT_IN)?;
    let cards = deck.iter().flat_map(|deck| &deck.cards).filter(|(_, card)| blocks.contains(&card.block));
    show(db, cards.collect(), page)
}

/// The blocks of cards, the first due first.
fn show(db: &Db<'_>, mut cards: Vec<(&String, &Flashcard)>, (page, size): (usize, usize)) -> Outcome {
    cards.sort_by_key(|(id, card)| (card.schedule.due, (*id).clone()));
    let total = cards.len();
    let shown = cards.into_iter().skip((page - 1).saturating_mul(size)).take(size);
    let blocks = shown.map(|(id, card)| block(db, &card.block, Some((id, card))));
    let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
    // When none of a page is in the index the kernel sends none at all.
    let known = blocks.iter().any(|block| block.get("box").and_then(Value::as_str) != Some(""));
    let blocks = if known { blocks } else { Vec::new() };
    Ok(json!({ "blocks": blocks, "pageCount": total.div_ceil(size), "total": total }))
}

/// A block with its card, or a placeholder for a missing one.
fn block(db: &Db<'_>, id: &str, card: Option<(&String, &Flashcard)>) -> Outcome {
    let found = db.blocks_where("id = ?1 LIMIT 1", &[id])?.into_iter().next();
    let (Some(mut block), Some((card_id, card))) = (found, card) else {
        return Ok(json!({
            "box": "", "path": "", "hPath": "", "id": id, "rootID": "", "parentID": "", "name": "", "alias": "",
            "memo": "", "tag": "", "content": "Search content block does not exist", "fcontent": "",
            "markdown": "", "folded": false, "type": "", "subType": "", "refText": "", "refs": null,
            "defID": "", "defPath": "", "ial": null, "children": null, "depth": 0, "count": 0, "refCount": 0,
            "sort": 0, "created": "", "updated": "", "riffCardID": "", "riffCard": null,
        }));
    };
    if let Some(map) = block.as_object_mut() {
        map.insert("riffCardID".into(), json!(card_id));
        map.insert("riffCard".into(), card.show());
    }
    Ok(block)
}

/// Only cards of the built-in deck are found.
pub(super) fn cards_by_blocks(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("blockIDs")?;
    kernel.store.read(|db| {
        let deck = db.deck(BUILT_IN)?;
        let card = |id: &str| deck.iter().flat_map(|deck| &deck.cards).find(|(_, card)| card.block == id);
        let blocks = ids.iter().map(|id| block(db, id, card(id))).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "blocks": blocks }))
    })
}

pub(super) fn review(kernel: &Kernel, args: &Args) -> Outcome {
    let (deck, card) = (args.text("deckID")?, args.text("cardID")?);
    let rating = args.get("rating").and_then(Value::as_f64).ok_or_else(Refusal::panicked)? as i64;
    let reviewed = reviewed(args)?;
    kernel.store.write(|db| db.review_card(&mut need(db, deck)?, card, rating, &reviewed))?;
    Ok(Value::Null)
}

pub(super) fn skip(kernel: &Kernel, args: &Args) -> Outcome {
    let (deck, card) = (args.text("deckID")?, args.text("cardID")?);
    kernel.store.write(|db| {
        if need(db, deck)?.cards.contains_key(card) {
            db.skip_card(card)?;
        }
        Ok(Value::Null)
    })
}

/// Sets due times of cards of the built-in deck. A bad time discards the earlier ones too, because nothing is saved.
pub(super) fn set_due(kernel: &Kernel, args: &Args) -> Outcome {
    let mut wanted = Vec::new();
    for given in args.list("cardDues")? {
        let text = |name: &str| given.get(name).and_then(Value::as_str).ok_or_else(Refusal::panicked);
        wanted.push((text("id")?, text("due")?));
    }
    kernel.store.write(|db| {
        let Some(mut deck) = db.deck(BUILT_IN)? else { return Ok(Value::Null) };
        for (id, due) in wanted {
            let Some(card) = deck.cards.get_mut(id) else { continue };
            let time = chrono::NaiveDateTime::parse_from_str(due, "%Y%m%d%H%M%S").ok();
            let time = time.filter(|_| due.len() == 14).ok_or_else(|| {
                Refusal::new(format!(
                    "parsing time \"{due}\" as \"20060102150405\": cannot parse \"{due}\" as \"2006\""
                ))
            })?;
            card.schedule.due = time.and_utc();
        }
        db.save_deck(&mut deck)?;
        Ok(Value::Null)
    })
}

/// Resets cards: the named ones, or else those of a notebook or document. A whole deck stays as it is, because the
/// kernel forgets to collect its blocks.
pub(super) fn reset(kernel: &Kernel, args: &Args) -> Outcome {
    let (kind, id, deck) = (args.text("type")?, args.text("id")?, args.text("deckID")?);
    let given = if args.get("blockIDs").is_some() { args.texts("blockIDs")? } else { Vec::new() };
    kernel.store.write(|db| {
        let meant = match kind {
            _ if !given.is_empty() => given.iter().map(|id| (*id).to_owned()).collect(),
            "notebook" => blocks_of(db, id, "/")?,
            "tree" => blocks_below(db, id)?,
            _ => BTreeSet::new(),
        };
        let decks = db.decks()?;
        let has = |deck: &Deck| {
            let cards = deck.cards.values().filter(|card| meant.contains(&card.block));
            cards.map(|card| card.block.clone()).collect::<Vec<_>>()
        };
        let deck = match deck {
            "" => decks.iter().find(|deck| !has(deck).is_empty()),
            id => decks.iter().find(|deck| deck.id == id),
        };
        let Some(deck) = deck else { return Ok(Value::Null) };
        let blocks: Vec<String> =
            if given.is_empty() { has(deck) } else { given.iter().map(|id| (*id).to_owned()).collect() };
        let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        remove(db, &deck.id, &blocks)?;
        add(db, &deck.id, &blocks)?;
        Ok(Value::Null)
    })
}
