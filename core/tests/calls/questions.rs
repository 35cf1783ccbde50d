//! Sixty questions in a person's words, and the block of the demo workspace that answers each.
//!
//! `cargo test -p puppy-core --test calls questions -- --nocapture` prints where each answer is found.

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, call, shown};

/// The first hits, which a model looks at.
const FIRST: usize = 5;
/// The number of questions whose answer must be among the first hits.
const FOUND: usize = 54;

/// A question, the hpath of the document, and a piece of the block that answers it.
const QUESTIONS: [(&str, &str, &str); 60] = [
    ("When can the tomatoes be planted out?", "/Plants/Tomatoes", "plant out after the last frost"),
    ("When is the last frost here?", "/Calendar", "last frost (about 15 May here)"),
    ("When did the blight come last year?", "/Plants/Tomatoes", "Blight came on 2024-08-09"),
    ("Which bed has sandy soil?", "/Beds", "sandy"),
    ("What grows in the shade by the pond?", "/Beds", "mint, hosta"),
    ("How many frogs were there?", "/Beds/Pond edge", "Frogs: four in 2024"),
    ("Why is the mint kept in a pot?", "/Beds/Pond edge", "sunken pot"),
    ("compost ratio of green to brown", "/Compost", "green : brown"),
    ("How often do I turn the compost?", "/Compost", "every 3 weeks"),
    ("What must not go on the compost, meat?", "/Compost", "meat, roots of bindweed"),
    ("Who mends the greenhouse door?", "/Jobs", "mend the greenhouse door"),
    ("leaf mould bags to order", "/Jobs", "order leaf mould"),
    ("Where is the list of seeds in the drawer?", "/Jobs", "Seeds in the drawer"),
    ("What do slugs eat?", "/Plants/Chard", "Slugs like it"),
    ("When do I prune the roses?", "/Plants/Roses", "prune in February"),
    ("black spot disease", "/Plants/Roses", "Black spot every wet June"),
    ("How many apples were in the first crop of the tree?", "/Plants/Apple tree", "31 apples"),
    ("Which variety is the apple tree?", "/Plants/Apple tree", "Planted 2019, Bramley"),
    ("Which beans grow on the arch?", "/Plants/Runner beans", "Scarlet Emperor"),
    ("Do beans mind cold nights?", "/Plants/Runner beans", "They hate cold nights"),
    ("recipe with pine nuts", "/Recipes/Pesto", "pine nuts"),
    ("How many minutes does mint tea wait?", "/Recipes/Mint tea", "wait four minutes"),
    ("What did the dog dig on the first warm day?", "/Diary/2025-04-06", "First warm day"),
    ("Were there worms when I dug the north bed?", "/Diary/2025-10-18", "Counted worms"),
    ("longest day of the year, first beans picked", "/Diary/2025-06-21", "Longest day"),
    ("When should I water the south bed?", "/Beds/South bed", "Water in the evening"),
    ("flowers for the bees", "/Beds/South bed", "for the bees"),
    ("What does petrichor mean?", "/Words", "petrichor"),
    ("What is tilth?", "/Words", "tilth"),
    ("a quote about maps and arguments", "/Notes/Maps", "A map is an argument"),
    ("What was drawn where the map was empty?", "/Notes/Maps", "Empty space was once drawn as monsters"),
    ("How did she count the days on the island?", "/Notes/Island", "She counted the days by the ferry"),
    ("quote about a lever", "/Notes/Small machines", "A lever is a promise"),
    ("Is oil cheaper than steel?", "/Notes/Small machines", "Oil is cheaper than steel"),
    ("How many living things are in a spoon of soil?", "/Notes/Soil", "A spoon of soil holds more"),
    ("Does cold dough work?", "/Notes/Bread", "Cold dough forgives"),
    ("How many books did I read in 2024?", "/Reading log", "Eleven books"),
    ("the idea of watering by moonlight", "/Old ideas", "watering by the moon"),
    ("Who drank the data of the rain meter?", "/Old ideas/Rain meter", "the dog drank the data"),
    ("Which box holds the old catalogues?", "/Boxes", "old catalogues"),
    ("Where are the two lanterns?", "/Boxes/Winter things", "two lanterns"),
    ("Did I call the seed shop?", "/Inbox", "ring the seed shop"),
    ("小白菜什么时候播种？", "/Plants/Bok choy 小白菜", "播种"),
    ("小白菜一年种几次", "/Plants/Bok choy 小白菜", "春天和秋天种两次"),
    ("蒜蓉小白菜的菜谱", "/Plants/Bok choy 小白菜", "菜谱：蒜蓉小白菜"),
    ("茶香是什么意思", "/Words", "茶香"),
    ("床前明月光的下一句是什么", "/Notes/Chinese poems 唐诗", "疑是地上霜"),
    ("低头思故乡的上一句", "/Notes/Chinese poems 唐诗", "举头望明月"),
    ("静夜思是谁写的", "/Notes/Chinese poems 唐诗", "李白《静夜思》"),
    ("李白的诗", "/Notes/Chinese poems 唐诗", "李白《静夜思》"),
    ("一天读几首诗", "/Notes/Chinese poems 唐诗", "一天一首"),
    ("什么菜春天和秋天都能种", "/Plants/Bok choy 小白菜", "春天和秋天种两次"),
    ("什么时候间苗", "/Plants/Bok choy 小白菜", "间苗"),
    ("唐诗笔记在哪里", "/Notes/Chinese poems 唐诗", "Chinese poems 唐诗"),
    ("故乡在哪首诗里", "/Notes/Chinese poems 唐诗", "低头思故乡"),
    ("地上霜", "/Notes/Chinese poems 唐诗", "疑是地上霜"),
    ("菜园里的菜谱", "/Plants/Bok choy 小白菜", "菜谱：蒜蓉小白菜"),
    ("举头望什么", "/Notes/Chinese poems 唐诗", "举头望明月"),
    ("四月要做的事：播种", "/Plants/Bok choy 小白菜", "播种"),
    ("明月光像什么", "/Notes/Chinese poems 唐诗", "床前明月光"),
];

/// Words of the closed notebook.
const CLOSED: [&str; 4] = ["Private", "dentist", "健康", "never see this notebook"];

fn ask(engine: &Engine<World, Nobody>, question: &str) -> (Value, String) {
    let arguments = json!({ "action": "text", "query": question });
    let reply = call(engine, Tool::Search, &arguments, &Approval::Missing);
    let text = shown(&reply);
    (Value::Object(reply.unwrap().data), text)
}

/// The place of the answer among the hits, from 1.
fn place(data: &Value, hpath: &str, piece: &str) -> Option<usize> {
    let answers = |item: &Value| {
        let text = item["text"].as_str().unwrap_or_default().replace("**", "");
        item["hpath"] == hpath && text.contains(piece)
    };
    data["items"].as_array()?.iter().position(answers).map(|at| at + 1)
}

/// The number of answers among the first hits, and where each is.
fn answered(world: World) -> (usize, String) {
    let engine = Engine::new(world, Nobody);
    let (mut found, mut printed) = (0, String::new());
    for (question, hpath, piece) in QUESTIONS {
        let (data, text) = ask(&engine, question);
        let place = place(&data, hpath, piece);
        found += usize::from(place.is_some_and(|at| at <= FIRST));
        let shown = place.map_or_else(|| "-".to_owned(), |at| at.to_string());
        printed.push_str(&format!("{shown:>3}  {question}  {hpath}: {piece}\n"));
        assert_ne!(data["items"], json!([]), "{question}: {text}");
        let is_closed = engine.kernel.table().values().any(|it| it == "none");
        let shows = CLOSED.iter().any(|word| text.contains(word));
        assert!(!is_closed || !shows, "{question}: {text}");
    }
    (found, printed)
}

#[test]
fn questions_are_answered_among_the_first_hits() {
    let (found, printed) = answered(World::fixture());
    println!("{printed}{found} of {} among the first {FIRST}", QUESTIONS.len());
    assert!(found >= FOUND, "{found} of {}\n{printed}", QUESTIONS.len());
}

/// With nothing closed SiYuan ranks the hits that hold every word.
#[test]
fn questions_are_answered_with_every_notebook_open() {
    let world = World::fixture();
    let mut table = world.table();
    table.values_mut().filter(|it| **it == "none").for_each(|it| *it = json!("r"));
    world.put("notebookPermissions", &Value::Object(table));
    let (found, printed) = answered(world);
    assert!(found >= FOUND, "{found} of {}\n{printed}", QUESTIONS.len());
}

/// An answer without hits names titles that are like the words, or says what else to try.
#[test]
fn empty_answer_shows_a_way_on() {
    let engine = Engine::new(World::fixture(), Nobody);
    for (question, way) in
        [("Tomtaoes", "Tomatoes"), ("rosse", "Roses"), ("qqqq xxxx zzzz", "fs.tree"), ("龘靐", "fs.tree")]
    {
        let (data, text) = ask(&engine, question);
        assert_eq!(data["items"], json!([]), "{question}");
        assert!(text.contains(way), "{question}: {text}");
    }
}
