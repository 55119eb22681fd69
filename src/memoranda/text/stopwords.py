"""Words that say nothing about the matter of a text, in English and Chinese."""

from __future__ import annotations

ENGLISH = frozenset(
    """
    a about above actually after again against ago ah all almost along already alright also
    although always am among an and another any anybody anymore anyone anything anyway are aren
    around as ask asked at away back be became because become been before behind being below best
    better between bit both but by bye came can cannot cant certainly come comes coming could
    couldn couple did didn do does doesn doing don done down during each eg either else enough
    especially etc even ever every everybody everyone everything exactly except few fine first
    follow following for from further gave get gets getting give given gives giving go goes going
    gone gonna good goodbye got gotta great had hadn happen happened happens hardly has hasn have
    haven having he hello help helps hence her here hers herself hey hi him himself his hmm how
    however i id ie if im in indeed inside instead into is isn it its itself ive just keep keeps
    kept kind know known knows last later least less let lets like likely little ll look looking
    looks lot lots made mainly make makes making many may maybe me mean means might mine more most
    mostly much must my myself near need needed needs neither never next nice no nobody none nope
    nor not nothing now nowhere of off often oh ok okay on once one ones only onto or other others
    otherwise our ours ourselves out outside over own particularly per perhaps please possible
    possibly pretty probably put quite rather re really regarding right said same saw say saying
    says second see seem seems seen shall she should shouldn simply since so some somebody
    somehow someone something sometimes somewhere soon sorry still stuff such sure take taken
    takes taking tell than thank thanks that thats the their theirs them themselves then there
    therefore these they thing things think this those though thought three through throughout
    thus till to today together told tomorrow tonight too took toward towards tried try trying two
    uh um under unless unlike until up upon us use used useful uses using usually various ve very
    via wanna want wanted wants was wasn way ways we well went were weren what whatever when
    whenever where whereas wherever whether which while who whoever whole whom whose why will with
    within without won wont would wouldn wow yeah yep yes yesterday yet you your yours yourself
    yourselves
    """.split()
)
"""Function words and the small change of conversation, as written in lower case."""

GREETINGS = frozenset(
    """
    alright appreciate afternoon bye cheers cool day evening fine goodbye good great hello hey hi
    hiya later lol morning nice night no nope ok okay perfect please right see sure sounds soon
    sweet take care thank thanks thx welcome well wonderful wow yeah yep yes yo you
    """.split()
)
"""English words of which a mere greeting, thanks or assent is made."""

CHINESE_SINGLE = frozenset(
    "的了是在我你他她它们这那和与及或就都而也还又很太吗呢吧啊呀哦嗯把被让给对从到向为以于之其"
    "此该个些每各某什么怎哪谁几不没有无要想会能可请去来做说看用得着过地里上下中前后时候因所但"
    "如果虽然并且只才再更最已将"
)
"""Chinese characters that bind or soften and seldom name a thing; a bigram of two of them is empty."""

CHINESE_WORDS = frozenset(
    """
    我们 你们 他们 她们 它们 咱们 大家 自己 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 什么 怎么
    怎样 哪里 哪个 为什 多少 几个 一个 一些 一下 一点 一样 一起 一直 可以 可能 能够 应该 需要 必须 已经
    正在 曾经 还是 还有 就是 不是 只是 但是 可是 不过 因为 所以 如果 虽然 然后 而且 并且 或者 以及 关于
    对于 根据 通过 非常 比较 特别 真的 其实 当然 现在 今天 明天 昨天 以后 以前 之后 之前 时候 时间 知道
    觉得 认为 希望 想要 喜欢 告诉 请问 谢谢 感谢 您好 你好 大家 好的 没有 没问 问题 不用 不会 不能 不要
    出来 起来 下来 上去 进行 使用 帮我 帮你 建议 或是 还要 都是 也是 有点 有些 很多 许多 所有 每个 其他
    """.split()
)
"""Chinese words of conversation that name no matter."""

CHINESE_GREETINGS = frozenset(
    """
    你好 您好 大家好 早 早上好 早安 上午好 中午好 下午好 晚上好 晚安 嗨 哈喽 谢谢 谢谢你 谢谢您 多谢 感谢
    好 好的 好啊 好吧 嗯 嗯嗯 行 行吧 可以 没问题 是 是的 对 对的 不 不是 不用 不客气 再见 拜拜 明白
    明白了 知道了 收到 辛苦了 没关系 哈哈 在吗
    """.split()
)
"""Whole Chinese messages that only greet, thank or agree."""

WEAK = frozenset(
    """
    able absolute absolutely accept access achieve action active activity actual add additional
    adjust advice agree allow amazing answer appear apply approach april area aspect assist
    assistant august avoid aware awesome base basic basically begin believe big bring bunch busy
    call care case cause chance change chat check choice choose clarify clear clearly close
    comfortable common complete concern confirm connect consider contact content continue
    convenient conversation cool correct cover create crucial curious current currently daily
    date day deal dear december decide decision deep define definite deliver depend describe
    design detail determine develop different difficult direct discuss discussion easy effect
    effective efficient effort eight element encourage end engage enjoy ensure entire essential
    establish example excellent excite exist expect experience explain explore extra extremely
    fact fair familiar fantastic feature february feel feeling fill final finally find finish
    fit five fix focus folk form format forward four fourth free fresh friday friend full fun
    future general generally gentle glad goal guidance guide guy guys handle happy hard head
    hear heavy high highlight hold honestly hope hour huge hundred idea identify imagine
    immediate immediately impact implement important impossible improve include incredible
    individual inform information initial input insight interest interesting involve issue item
    january job join july jump june key large late lead learn leave left level light limit line
    link list listen literally live local long love low madam main maintain major man manage
    manager march mark match material matter method mind minute miss moment monday month morning
    move multiple natural nature necessary new night nine note notice november number obviously
    october offer old open opportunity option order organize original outcome outline overall
    overview pace part pass past people perfect perform period person personal phase phrase pick
    piece place plan play plenty pm point popular positive potential power powerful practical
    prefer prepare present previous primary prioritize priority problem proceed process produce
    progress project proper provide pull purpose push quality question quick quickly reach read
    ready real realistic reason recall receive recent recommend record refer reference reflect
    regular relate relevant remain remember remind request require resource response rest result
    return review rich role round run safe sample saturday save schedule section select send
    sense september serious seriously session set setup seven share short shot show side
    significant similar simple single sir situation six skip small solid solution specific
    specifically spend stage standard start state stay step stick stop straight strategy strong
    structure style suggest suggestion suit suitable summarize summary sunday super support
    sweet system tackle talk target task ten test text third thorough thousand thursday tip ton
    tool top topic total totally touch track true truly tuesday turn type typical understand
    understood unique update user valuable value variety version view visit vital wait walk
    watch wednesday week weekend weekly welcome wide wish wonder word work worry worth write
    wrong year young
    """.split()
)
"""English words too vague to begin or end a name, as written in lower case."""
