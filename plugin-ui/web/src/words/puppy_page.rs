//! The texts of the puppy's page in the panel.

use puppy_core::activity::shop::ShopItem;
use puppy_core::activity::stats::Mood;

use super::PuppyWords;
use super::touch::TouchWords;
use crate::state::motion::Motion;
use crate::state::scene::State;
use crate::state::stage::SceneGroup;

texts! {
    /// The texts of the puppy's page.
    PuppyPageWords:
    look: "Look", "外观";
    manners: "Behaviour", "行为";
    small: "Small", "小";
    medium: "Medium", "中";
    large: "Large", "大";
    honey: "Honey", "蜂蜜";
    cocoa: "Cocoa", "可可";
    cream: "Cream", "奶油";
    ink: "Ink", "墨黑";
    merle: "Blue merle", "蓝陨石";
    theme: "Match theme", "跟随主题";
    red: "Red", "红色";
    green: "Green", "绿色";
    gold: "Gold", "金色";
    violet: "Violet", "紫色";
    action: "Action only", "仅动作";
    place: "Action and place", "动作和位置";
    off: "Off", "关闭";
    reset: "Back to the corner", "回到角落";
    /// Mark of the picture in test mode.
    test_mark: "test", "测试";
    play_all: "Play all", "全部播放";
    stop: "Stop", "停止";
    slow: "Slow motion", "慢动作";
    usual: "normal speed", "正常速度";
    times: "{n}× slower", "慢 {n} 倍";
    states: "States and marks", "状态与标记";
    tools: "Tools", "工具";
    moods: "Moods", "心情";
    idle: "On its own", "自娱自乐";
    items: "Food and toys", "食物与玩具";
    still: "idle", "空闲";
    /// Scene: many calls at once.
    burst: "many calls", "大量调用";
    sit: "sits", "坐着";
    stand: "stands", "站起";
    look_about: "looks around", "张望";
    tilt: "tilts its head", "歪头";
    groom: "grooms", "舔爪";
    wag: "wags", "摇尾巴";
    yawn: "yawns", "打哈欠";
    stretch: "stretches", "伸懒腰";
    sniff: "sniffs", "嗅地面";
    chase: "chases its tail", "追尾巴";
    bowl: "looks at its bowl", "看食盆";
    lie: "lies", "趴下";
    sleep: "sleeps", "睡觉";
    /// Notice about a setting that was not saved.
    not_saved: "Not saved: SiYuan did not accept it. It applies to this page only.", "未保存：思源没有接受，仅对本页面有效。";
    show: "Show the puppy", "显示小狗";
    /// Hint of a setting.
    show_hint: "Run “Show the puppy” from the command palette to bring it back.", "在命令面板中执行“显示小狗”即可让它回来。";
    size: "Size", "大小";
    coat: "Coat", "毛色";
    collar: "Collar", "项圈";
    bubble: "Bubble", "气泡";
    /// Hint of a setting.
    bubble_hint: "“Action and place” shows notebook and document names, never their text, and never a notebook at No access.", "“动作和位置”会显示笔记本和文档名，从不显示内容，也从不显示不可访问的笔记本。";
    quiet: "Hide names while screen sharing", "屏幕共享时隐藏名称";
    /// Hint of a setting.
    quiet_hint: "Always on in full screen.", "全屏时始终开启。";
    hearts: "Hearts", "爱心";
    /// Hint of a setting.
    hearts_hint: "Appear when you pet or feed it, and now and then.", "抚摸、喂食时出现，偶尔也会出现。";
    calm: "Reduce motion", "减少动画";
    /// Hint of a setting.
    calm_hint: "Poses change, nothing moves.", "只变换姿势，没有动画。";
    trot: "Trot to what agents touch", "跑到智能体处理的地方";
    /// Hint of a setting.
    trot_hint: "In an open document. Click the puppy to go there. The leash shows the level: short for Read, long for Write, with a bell for Delete.", "仅在打开的文档中。点击小狗可跳转。牵绳表示等级：短为只读，长为读写，带铃铛为读写删。";
    follow: "Eyes follow the pointer", "目光跟随指针";
    /// Hint of a setting.
    follow_hint: "Only when the pointer is near.", "仅在指针靠近时。";
    fade: "Fade near the caret", "光标附近变淡";
    /// Hint of a setting.
    fade_hint: "Fades while you write where it sits.", "在它所在处书写时会变淡。";
    speak: "Announce to screen readers", "屏幕阅读器播报";
    /// Hint of a setting.
    speak_hint: "Errors and questions only.", "仅错误和提问。";
    phones: "Show on phones", "在手机上显示";
    /// Hint of a setting.
    phones_hint: "Off by default to save battery.", "默认关闭以节省电量。";
    test: "Test mode", "测试模式";
    /// Hint of the test mode.
    test_hint: "Shows everything it can do, without an agent. No calls are made.", "无需智能体即可查看它的所有样子，不会产生任何调用。";
    puppy_home: "Position", "位置";
}

impl PuppyPageWords {
    /// Name of a group of scenes.
    pub const fn group(&self, group: SceneGroup) -> &'static str {
        match group {
            SceneGroup::State => self.states,
            SceneGroup::Tool => self.tools,
            SceneGroup::Mood => self.moods,
            SceneGroup::Idle => self.idle,
            SceneGroup::Item => self.items,
        }
    }

    /// Name of a scene; tools have one in all languages.
    pub fn scene(&self, lang: &str, group: SceneGroup, name: &'static str) -> &'static str {
        let touch = TouchWords::of(lang);
        let named = match group {
            SceneGroup::State => State::ALL.into_iter().find(|it| it.word() == name).map(|it| match it {
                State::Idle => self.still,
                other => PuppyWords::of(lang).state(other),
            }),
            SceneGroup::Mood => Mood::ALL.into_iter().find(|it| it.word() == name).map(|it| touch.mood(it)),
            SceneGroup::Idle => {
                Motion::ALL.into_iter().find(|it| it.word() == name).map(|it| self.motion(it))
            }
            SceneGroup::Item => ShopItem::named(name).map(|it| touch.item(it)),
            SceneGroup::Tool => Some(name),
        };
        named.unwrap_or(self.burst)
    }

    const fn motion(&self, motion: Motion) -> &'static str {
        match motion {
            Motion::Sit => self.sit,
            Motion::Stand => self.stand,
            Motion::Look => self.look_about,
            Motion::Tilt => self.tilt,
            Motion::Groom => self.groom,
            Motion::Wag => self.wag,
            Motion::Yawn => self.yawn,
            Motion::Stretch => self.stretch,
            Motion::Sniff => self.sniff,
            Motion::Chase => self.chase,
            Motion::Bowl => self.bowl,
            Motion::Lie => self.lie,
            Motion::Sleep => self.sleep,
        }
    }

    /// Name of a choice.
    pub fn choice(&self, word: &str) -> &'static str {
        match word {
            "48" => self.small,
            "72" => self.medium,
            "96" => self.large,
            "honey" => self.honey,
            "cocoa" => self.cocoa,
            "cream" => self.cream,
            "ink" => self.ink,
            "merle" => self.merle,
            "theme" => self.theme,
            "red" => self.red,
            "green" => self.green,
            "gold" => self.gold,
            "violet" => self.violet,
            "action" => self.action,
            "place" => self.place,
            _ => self.off,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-327: every scene of the test mode has a name of its own in both languages; a tool is called the same in both.
    #[test]
    fn every_scene_is_named_in_both_languages() {
        for group in SceneGroup::ALL {
            let names = |lang: &str| -> Vec<_> {
                let words = PuppyPageWords::of(lang);
                group.names().into_iter().map(|name| words.scene(lang, group, name)).collect()
            };
            let (english, chinese) = (names("en"), names("zh_CN"));
            for (at, name) in chinese.iter().enumerate() {
                assert!(!chinese[..at].contains(name), "{group:?} {name}");
                assert_eq!(name.is_ascii(), group == SceneGroup::Tool, "{group:?} {name}");
                assert!(english[at].is_ascii() && !english[..at].contains(&english[at]), "{}", english[at]);
            }
        }
    }
}
