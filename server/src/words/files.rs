//! The words of errors about files, profiles, addresses and certificates.

texts! {
    /// Errors about files, profiles, addresses and certificates.
    FileWords:
    unreadable(file, why): "{file} cannot be read: {why}.", "无法读取 {file}：{why}。";
    unusable(file, why): "{file} cannot be used: {why}.", "无法使用 {file}：{why}。";
    not_text: "it is not text", "它不是文本";
    unwritable(file, why): "{file} cannot be written: {why}.", "无法写入 {file}：{why}。";
    unchanged(file, why): "{file} was not changed: {why}.", "没有更改 {file}：{why}。";
    not_read_back: "the entry would not be read back", "写入的条目将无法读回";
    too_many: "more than one entry would change", "会更改多个条目";
    comment_lost: "a comment in it would be lost", "其中的注释会丢失";
    no_entries(key): "`{key}` in it contains no entries", "其中的 `{key}` 不包含条目";
    no_object: "it does not contain a JSON object", "它不包含 JSON 对象";
    bad_json(line): "its line {line} is not valid JSON", "第 {line} 行不是有效的 JSON";
    bad_toml(line): "its line {line} is not valid TOML", "第 {line} 行不是有效的 TOML";
    twice(name): "it names `{name}` twice", "其中 `{name}` 出现了两次";
    changed_meanwhile(file): "Another program changed {file} at the same time. Nothing was written. Run this again.", "{file} 同时被其他程序更改。没有写入任何内容，请重新执行。";
    other_user: "it belongs to another user. Run this as that user, without sudo", "它属于其他用户。请以该用户身份执行，不要使用 sudo";
    hard_link: "it has a second name (a hard link), which would keep the old content. Make it a symbolic link first", "它有另一个名称（硬链接），会保留旧内容。请先改为符号链接";
    not_in_turn: "Another siyuan-puppy is still changing settings. Nothing was changed. Try again, or end that process.", "另一个 siyuan-puppy 仍在更改设置。没有任何更改，请重试或结束该进程。";
    name_taken(file, name): "{file} has another server named {name}. Choose another name with --name, or replace it with --replace.", "{file} 中已有名为 {name} 的其他服务。请用 --name 选择其他名称，或用 --replace 替换它。";
    no_client_file: "This client does not store its servers in a file.", "此客户端不在文件中保存服务。";
    fix_first(why): "{why} The file was not changed. Fix it first.", "{why}没有更改该文件，请先修复它。";
    malformed(file, why): "{file} is malformed: {why}. See `siyuan-puppy config schema config`.", "{file} 的格式不正确：{why}。参见 `siyuan-puppy config schema config`。";
    no_profile(name, near): "There is no profile {name}.{near} `siyuan-puppy config list` lists all profiles.", "没有名为 {name} 的配置。{near}`siyuan-puppy config list` 会列出全部配置。";
    no_setting(key, known): "{key} is not a setting. The settings are {known}", "{key} 不是设置项。可用的有：{known}";
    no_setting_near(key, near, known): "{key} is not a setting. {near} The settings are {known}", "{key} 不是设置项。{near}可用的有：{known}";
    must_be_object(key): "{key} must be an object", "{key} 必须是对象";
    no_url(key): "{key} has no url", "{key} 没有 url";
    must_be_address(key): "{key} must be an address such as http://127.0.0.1:6806", "{key} 必须是地址，例如 http://127.0.0.1:6806";
    two_sources(key): "{key} has more than one source for its token: keep one", "{key} 指定了多个令牌来源，请只保留一个";
    must_be_text(key): "{key} must be a string in quotes", "{key} 必须是引号中的字符串";
    must_be_words(key): "{key} must be a list of strings: a program and its arguments", "{key} 必须是字符串列表：程序及其参数";
    no_home_profiles: "This user has no home folder, so profiles cannot be stored.", "当前用户没有主文件夹，无法存放配置。";
    needs_address(name): "A profile needs an address. To remove the whole profile, run `siyuan-puppy config remove {name}`.", "配置必须有地址。如需移除整个配置，请执行 `siyuan-puppy config remove {name}`。";
    address_first(name): "The profile {name} has no address yet, and a token belongs to an address. Run `siyuan-puppy config set url ADDRESS --profile {name}` first.", "配置 {name} 还没有地址，而令牌属于某个地址。请先执行 `siyuan-puppy config set url 地址 --profile {name}`。";
    no_profiles_in(file): "{file} contains no profiles.", "{file} 中没有配置。";
    profiles_taken(names): "Profiles with these names already exist: {names}. Nothing was changed. Use --replace to replace them.", "以下名称的配置已存在：{names}。没有任何更改；可用 --replace 替换它们。";
    profile_names: "The name of a profile must have 1 to 32 letters, digits, - and _.", "配置名称由 1 至 32 个字母、数字、- 和 _ 组成。";
    token_file_failed(name, why): "The token file of the profile {name} cannot be read: {why}.", "无法读取配置 {name} 的令牌文件：{why}。";
    token_env_missing(name, variable): "The profile {name} takes its token from {variable}, which is not set.", "配置 {name} 的令牌来自变量 {variable}，但该变量未设置。";
    token_command_failed(name, why): "The token command of the profile {name} {why}.", "配置 {name} 的令牌命令{why}。";
    token_empty(name): "The token of the profile {name} is empty.", "配置 {name} 的令牌为空。";
    not_now: "does not run now", "此时不会运行";
    no_program: "is empty", "为空";
    not_started(why): "cannot be started: {why}", "无法启动：{why}";
    too_slow(seconds): "did not end within {seconds} s", "未在 {seconds} 秒内结束";
    failed: "failed", "执行失败";
    no_output: "printed no text", "没有输出文本";
    token_characters: "The API token contains characters that SiYuan's tokens do not have. Copy it again from SiYuan: Settings, About.", "API token 含有思源令牌中不会出现的字符。请从思源重新复制：设置 › 关于。";
    no_http_client: "The HTTP client could not be set up.", "无法初始化 HTTP 客户端。";
    bad_address: "The address of SiYuan must start with http:// or https:// and a host, such as http://127.0.0.1:6806.", "思源的地址必须以 http:// 或 https:// 和主机名开头，例如 http://127.0.0.1:6806。";
    ca_unreadable(why): "The file given with --ca-file cannot be read: {why}.", "无法读取 --ca-file 指定的文件：{why}。";
    ca_malformed: "The file given with --ca-file contains a malformed certificate.", "--ca-file 指定的文件中有格式错误的证书。";
    ca_empty: "The file given with --ca-file contains no certificate. It must be PEM, which begins with -----BEGIN CERTIFICATE-----.", "--ca-file 指定的文件中没有证书。需要以 -----BEGIN CERTIFICATE----- 开头的 PEM。";
    no_encryption: "The encryption of this program could not be set up.", "无法初始化此程序的加密功能。";
    no_trust: "This machine has no list of trusted certificates; name the one to trust with --ca-file.", "本机没有受信任证书的列表，请用 --ca-file 指定要信任的证书。";
}
