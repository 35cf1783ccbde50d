//! Templates against what SiYuan 3.7.3 renders.

use super::*;

fn result_of(text: &str, delimiters: (&str, &str), data: &Any) -> String {
    let folder = tempfile::tempdir().unwrap();
    let store = crate::store::Store::open(folder.path()).unwrap();
    let result = store.read(|db| render(db, text, delimiters, data));
    result.unwrap_or_else(|refusal| format!("{}: {}", refusal.code, refusal.msg))
}

fn rendered(text: &str) -> String {
    result_of(text, BRACES, &Any::Nil)
}

#[test]
fn templates_have_branches_loops_and_variables() {
    assert_eq!(rendered("{{ if false }}a{{ else if true }}b{{ else }}c{{ end }}"), "b");
    assert_eq!(rendered("{{ range $i, $e := list \"x\" \"y\" }}{{ $i }}{{ $e }},{{ end }}"), "0x,1y,");
    assert_eq!(rendered("{{ range list }}a{{ else }}none{{ end }}"), "none");
    assert_eq!(rendered("{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}"), "2");
    assert_eq!(rendered("{{ with \"v\" }}{{ . }}{{ end }}{{ with \"\" }}a{{ else }}b{{ end }}"), "vb");
    let loop_ = "{{ range list 1 2 3 4 5 }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ if eq . 4 }}{{ break }}{{ end }}\
                 {{ . }}{{ end }}";
    assert_eq!(rendered(loop_), "13");
    assert_eq!(rendered("{{ define \"t\" }}T{{ . }}{{ end }}{{ template \"t\" 5 }}"), "T5");
    assert_eq!(rendered("a  {{- \"b\" -}}  c{{/* d */}}"), "abc");
}

#[test]
fn template_pipes_pass_their_value() {
    assert_eq!(rendered("/daily/{{now | date \"2006\" | len}}/{{ \"abc\" | upper }}"), "/daily/4/ABC");
    assert_eq!(rendered("{{ \"hello world\" | upper | trunc 5 }}"), "HELLO");
    assert_eq!(
        rendered("{{ printf \"%05d|%-5s|%5.2f|%q\" 42 \"ab\" 3.14159 \"q\" }}"),
        "00042|ab   | 3.14|\"q\""
    );
    assert_eq!(rendered("{{ dict \"b\" 2 \"a\" (list 1 \"x\") }}"), "map[a:[1 x] b:2]");
    assert_eq!(rendered("{{ .a.b }}"), "<no value>");
}

#[test]
fn template_times_have_layouts_and_methods() {
    let day = "{{ $t := toDate \"2006-01-02\" \"2025-03-09\" }}";
    assert_eq!(
        rendered(&format!("{day}{{{{ $t | date \"2006-01-02 15:04:05 Mon January 1 2 3 PM\" }}}}")),
        "2025-03-09 00:00:00 Sun March 3 9 12 AM"
    );
    assert_eq!(
        rendered(&format!("{day}{{{{ $t.Year }}}} {{{{ $t.Month }}}} {{{{ ISOWeek $t }}}}")),
        "2025 March 10"
    );
    assert_eq!(rendered(&format!("{day}{{{{ ($t.AddDate 0 1 0).Format \"2006-01-02\" }}}}")), "2025-04-09");
    assert_eq!(rendered(&format!("{day}{{{{ $t | dateModify \"-24h\" | date \"20060102\" }}}}")), "20250308");
}

#[test]
fn template_errors_match_go() {
    assert_eq!(rendered("{{ nope"), "-1: template: :1: function \"nope\" not defined");
    assert_eq!(
        rendered("{{ upper }}"),
        "-1: template: :1:3: executing \"\" at <upper>: wrong number of args for upper: want 1 got 0"
    );
    assert_eq!(
        rendered("{{ div 1 0 }}"),
        "-1: template: :1:3: executing \"\" at <div 1 0>: error calling div: runtime error: integer divide by zero"
    );
    assert_eq!(rendered("{{ end }}"), "-1: template: :1: unexpected {{end}}");
    // A function whose result could be mistaken for an answer is refused explicitly.
    assert!(rendered("{{ genCA \"x\" 1 }}").starts_with("501: "));
}

#[test]
fn template_files_use_other_delimiters() {
    let data = Any::map([("title".to_owned(), Any::text("T"))]);
    assert_eq!(
        result_of("# {{.title}} .action{.title} .action{printf \"}\"}", ACTION, &data),
        "# {{.title}} T }"
    );
    assert_eq!(names_in(".action{.Num} .action{index . \"F t\"}", ACTION), ["Num", "F t"]);
}
