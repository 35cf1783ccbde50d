//! The words of errors about the command line itself, which the parser reports.

texts! {
    /// Errors about the command line itself. English is only a fallback: the parser has its own.
    UsageWords:
    unknown_argument(argument): "unexpected argument '{argument}' found", "没有 {argument} 这个参数";
    unknown_command(command): "unrecognized subcommand '{command}'", "没有 {command} 这个命令";
    invalid_value(argument, value): "invalid value '{value}' for '{argument}'", "{argument} 的值 {value} 无效";
    invalid_value_because(argument, value, why): "invalid value '{value}' for '{argument}': {why}", "{argument} 的值 {value} 无效：{why}";
    needs_value(argument): "a value is required for '{argument}' but none was supplied", "{argument} 需要一个值";
    needs_equals(argument): "equal sign is needed when assigning values to '{argument}'", "{argument} 的值需要用等号指定";
    missing(arguments): "the following required arguments were not provided: {arguments}", "缺少必需的参数：{arguments}";
    missing_command(command): "'{command}' requires a subcommand but one was not provided", "{command} 需要一个子命令";
    conflict(argument, others): "the argument '{argument}' cannot be used with '{others}'", "{argument} 不能与 {others} 同时使用";
    repeated(argument): "the argument '{argument}' cannot be used multiple times", "{argument} 不能重复使用";
    too_many(argument, value): "unexpected value '{value}' for '{argument}' found; no more were expected", "{argument} 的值过多：{value}";
    too_few(argument): "'{argument}' needs more values", "{argument} 的值不够";
    not_utf8: "invalid UTF-8 was detected in an argument", "参数中有无效的 UTF-8";
    values(values): "possible values: {values}", "可选值：{values}";
    similar(names): "did you mean {names}?", "是否想输入 {names}？";
    usage: "Usage:", "用法：";
    more: "For more information, try '--help'.", "更多信息请使用 --help。";
    bad_unit: "expected a number with s, m, h or d, such as 30m", "应为带 s、m、h 或 d 的数字，例如 30m";
    bad_time: "expected a time between 1s and 365d", "应为 1s 至 365d 之间的时间";
}
