"""Who may read what: how sources' words are read, and what follows from them."""

from typing import Any

import pytest

from connectors.jdbc import mysql_grants
from discovery.errors import DeniedError
from discovery.rights import hive, mysql, mysql_patterns, postgresql
from discovery.rights.matrix import Access, Reader
from discovery.rights.model import (
    EVERYBODY,
    Basis,
    Grant,
    Grantee,
    GranteeKind,
    Membership,
    Privilege,
    RightsModel,
)
from discovery.rights.mysql import Accounts
from discovery.rights.mysql_roles import ActiveRoles, active_roles

ANN, BOB = Grantee("ann", GranteeKind.USER), Grantee("bob", GranteeKind.USER)
R, S, T = (Grantee(name, GranteeKind.ROLE) for name in "rst")


def on_view(who: Grantee, **more: Any) -> Grant:
    return Grant(("d",), "v", who, more.pop("privilege", Privilege.SELECT), "SELECT", **more)


def usage(who: Grantee) -> Grant:
    return Grant(("d",), "", who, Privilege.USAGE, "USAGE")


def readers(model: RightsModel, *told: Grant | Membership) -> set[Reader]:
    grants = [one for one in told if isinstance(one, Grant)]
    members = [one for one in told if isinstance(one, Membership)]
    return set(Access(model, grants, members).readers(("d",), "v"))


def test_a_right_of_hive_says_its_place_and_who_has_it_in_any_case_of_its_word() -> None:
    stated = {
        "hiveObject": {"objectType": 5, "dbName": "d", "objectName": "v", "columnName": "c"},
        "principalName": "public",
        "principalType": 2,
        "grantInfo": {"privilege": "Select", "grantor": "o", "grantOption": True},
    }
    column = hive.grant(stated)
    assert column == Grant(
        ("d",), "v", EVERYBODY, Privilege.SELECT, "Select", "c", grantable=True, granted_by="o"
    )
    everywhere = {**stated, "hiveObject": {"objectType": 1}, "principalType": 1}
    grant = hive.grant(everywhere)
    assert grant is not None
    assert (grant.namespace, grant.name, grant.column) == ((), "", None)
    assert grant.grantee == Grantee("public", GranteeKind.USER), "a user of that name is a user"
    assert hive.grant({**stated, "hiveObject": {"objectType": 4, "dbName": "d"}}) is None


def test_in_hive_only_rights_on_the_view_itself_and_owning_it_let_read() -> None:
    above = [
        Grant(("d",), "", ANN, Privilege.SELECT, "SELECT"),
        Grant((), "", R, Privilege.ALL, "All"),
        on_view(BOB, privilege=Privilege.MODIFY),
    ]
    assert readers(RightsModel.HIVE, *above, Membership(R, ANN)) == set()
    own = Grant(("d",), "v", R, Privilege.OWN, "owner", basis=Basis.OWNER)
    assert readers(RightsModel.HIVE, own, Membership(R, ANN)) == {
        Reader(R),
        Reader(ANN, ("r",)),
    }


@pytest.mark.parametrize("admin", ["admin", "ADMIN"])
def test_who_is_an_administrator_of_hive_has_to_set_the_role(admin: str) -> None:
    def held(role: str, member: str, kind: int) -> Membership:
        return hive.membership({"roleName": role, "principalName": member, "principalType": kind})

    role = Grantee(admin, GranteeKind.ROLE)
    told = (on_view(role), on_view(R), held(admin, "ann", 1), held(admin, "s", 2))
    assert readers(RightsModel.HIVE, *told, held("s", "bob", 1), held("r", "bob", 1)) == {
        Reader(role),
        Reader(R),
        Reader(ANN, (admin,), on_demand=True),
        Reader(S, (admin,), on_demand=True),
        Reader(BOB, ("r",)),
    }


def test_a_user_who_bears_the_name_of_a_role_has_none_of_its_members() -> None:
    namesake = Grantee("r", GranteeKind.USER)
    assert readers(RightsModel.HIVE, on_view(namesake), Membership(R, ANN)) == {Reader(namesake)}


@pytest.mark.parametrize(
    ("reads", "enters", "wanted"),
    [
        ([EVERYBODY], [EVERYBODY], [EVERYBODY]),
        ([EVERYBODY], [ANN], [ANN]),
        ([ANN, R], [EVERYBODY], [R, ANN]),
        ([ANN], [BOB], []),
        ([ANN], [], []),
        ([], [ANN], []),
    ],
)
def test_in_postgresql_select_is_nothing_without_usage_of_the_schema(
    reads: list[Grantee], enters: list[Grantee], wanted: list[Grantee]
) -> None:
    found = readers(RightsModel.POSTGRESQL, *map(on_view, reads), *map(usage, enters))
    assert {reader.grantee for reader in found} == set(wanted)


def test_two_roles_that_are_set_in_turn_do_not_add_up() -> None:
    told = (
        on_view(R),
        usage(S),
        Membership(R, ANN, Basis.ON_DEMAND),
        Membership(S, ANN, Basis.ON_DEMAND),
    )
    assert readers(RightsModel.POSTGRESQL, *told) == set()
    both = (*told, Membership(S, R))
    assert readers(RightsModel.POSTGRESQL, *both) == {
        Reader(R),
        Reader(ANN, ("r",), on_demand=True),
    }


def test_members_of_a_superuser_have_to_set_the_role_and_may_not_where_it_is_not_for_setting() -> (
    None
):
    boss = Grantee("boss", GranteeKind.USER)
    power = Grant((), "", boss, Privilege.ALL, "SUPERUSER", basis=Basis.ADMINISTRATOR)
    row = {
        "role": "boss",
        "role_logs_in": True,
        "role_is_super": True,
        "member": "ann",
        "member_logs_in": True,
        "grantable": False,
        "grantor": None,
        "inherits": True,
    }
    settable = postgresql.memberships({**row, "sets": True})
    assert readers(RightsModel.POSTGRESQL, power, *settable) == {
        Reader(Grantee("ann", GranteeKind.USER), ("boss",), on_demand=True),
        Reader(boss),
    }
    inherited = postgresql.memberships({**row, "sets": False})
    assert readers(RightsModel.POSTGRESQL, power, *inherited) == {Reader(boss)}
    assert list(postgresql.memberships({**row, "sets": False, "inherits": False})) == []


def test_circles_of_roles_end_and_the_nearest_way_is_told() -> None:
    told = (on_view(R), Membership(R, S), Membership(S, T), Membership(T, R), Membership(T, ANN))
    assert readers(RightsModel.MYSQL, *told, Membership(R, ANN)) == {
        Reader(R),
        Reader(S, ("r",)),
        Reader(T, ("s", "r")),
        Reader(ANN, ("r",)),
    }


def test_a_thousand_grantees_of_one_view_are_all_told() -> None:
    many = [Grantee(f'"{number}".', GranteeKind.USER) for number in range(1000)]
    assert {reader.grantee for reader in readers(RightsModel.HIVE, *map(on_view, many))} == set(
        many
    )


def test_columns_are_told_of_whom_no_other_right_lets_read_all() -> None:
    some = (on_view(R, column="a"), on_view(R, column="b"), on_view(ANN, column="c"))
    assert readers(RightsModel.MYSQL, *some, on_view(ANN), Membership(R, BOB)) == {
        Reader(R, columns=("a", "b")),
        Reader(ANN),
        Reader(BOB, ("r",), columns=("a", "b")),
    }


def test_who_reads_all_on_demand_reads_some_columns_at_once() -> None:
    grants = (on_view(R), on_view(ANN, column="a"))
    held = Membership(R, ANN, Basis.ON_DEMAND)
    assert Access(RightsModel.MYSQL, grants, [held]).readers(("d",), "v") == [
        Reader(ANN, columns=("a",)),
        Reader(ANN, ("r",), on_demand=True),
        Reader(R),
    ]


def test_columns_on_demand_are_none_at_once() -> None:
    told = (on_view(ANN, column="a"), on_view(R, column="b"))
    assert readers(RightsModel.MYSQL, *told, Membership(R, ANN, Basis.ON_DEMAND)) == {
        Reader(R, columns=("b",)),
        Reader(ANN, columns=("a",)),
        Reader(ANN, ("r",), on_demand=True, columns=("b",)),
    }


def test_what_everybody_may_read_of_a_view_each_one_may() -> None:
    told = (on_view(EVERYBODY, column="a"), on_view(ANN, column="b"), on_view(BOB))
    assert readers(RightsModel.MYSQL, *told) == {
        Reader(EVERYBODY, columns=("a",)),
        Reader(ANN, columns=("b", "a")),
        Reader(BOB),
    }


def test_what_everybody_may_read_nobody_reads_by_columns_or_on_demand_only() -> None:
    some = (on_view(ANN, column="a"), on_view(R), Membership(R, BOB, Basis.ON_DEMAND))
    assert readers(RightsModel.MYSQL, *some, on_view(EVERYBODY)) == {Reader(R), Reader(EVERYBODY)}


def row(user: str, database: str, host: str = "h", **rights: str) -> dict[str, Any]:
    every = dict.fromkeys((*mysql.RIGHTS, "grant_priv"), "N")
    return {"user": user, "host": host, "db": database, **every, **rights}


U = (("u", "h"),)
"""The account of most of the rows."""


@pytest.mark.parametrize(
    ("patterns", "database", "decides"),
    [
        (["shop_1"], "shopx1", "shop_1"),
        ([r"shop\_1"], "shopx1", None),
        ([r"shop\_1"], "shop_1", r"shop\_1"),
        (["%", "shop%", "shop"], "shop", "shop"),
        (["%", "shop%"], "shopping", "shop%"),
        (["s%", "shop_"], "shops", "shop_"),
        (["sho%", "sho_"], "shop", None),
        (["a.b"], "axb", None),
        (["line%"], "line\nbreak", "line%"),
    ],
)
def test_the_most_exact_pattern_of_an_account_decides_alone(
    patterns: list[str], database: str, decides: str | None
) -> None:
    for select in patterns:
        told = [
            row("u", pattern, select_priv="Y" if pattern == select else "N") for pattern in patterns
        ]
        grants = list(mysql.of_databases(told, [database], Accounts(known=U)))
        assert [grant.word for grant in grants] == (["SELECT"] if select == decides else [])


@pytest.mark.parametrize(
    ("patterns", "database", "decides"),
    [
        (["sho%", "sho_"], "shop", "sho_"),
        (["s%", "s%p"], "shop", "s%p"),
        (["shop%", "s_______"], "shopping", "s_______"),
        (["%ping", "sh%"], "shopping", "%ping"),
        (["sho%%%", "shop%"], "shopping", "shop%"),
        ([r"sho\_%", "sho_x"], "sho_x", "sho_x"),
        (["s%o%", "s%h%"], "shop", None),
        (["%", "shop"], "shop", "shop"),
    ],
)
def test_mariadb_looks_at_all_wildcards_of_a_pattern(
    patterns: list[str], database: str, decides: str | None
) -> None:
    for select in patterns:
        rows = [
            row("u", pattern, select_priv="Y" if pattern == select else "N") for pattern in patterns
        ]
        grants = list(mysql.of_databases(rows, [database], Accounts(of_mariadb=True, known=U)))
        assert [grant.word for grant in grants] == (["SELECT"] if select == decides else [])


def test_of_patterns_as_exact_as_each_other_what_all_give_is_given() -> None:
    rows = [
        row("u", "sho%", select_priv="Y", insert_priv="Y", grant_priv="Y"),
        row("u", "sho_", select_priv="Y"),
    ]
    grants = list(mysql.of_databases(rows, ["shop"], Accounts(known=U)))
    assert [(grant.word, grant.grantable) for grant in grants] == [("SELECT", False)]


@pytest.mark.parametrize("of_mariadb", [True, False])
@pytest.mark.parametrize(
    ("rows", "reads"),
    [
        ([row("u", "shop", "%", select_priv="Y")], {"u@%", "u@h"}),
        ([row("u", "shop", "h", select_priv="Y")], {"u@h"}),
        ([row("", "shop", "h", select_priv="Y")], {"u@h", "v@h"}),
        ([row("", "shop", "%", select_priv="Y")], {"u@%", "u@h", "v@h", "v@10.1.2.3", "@%"}),
        ([row("v", "shop", "10.1.%", select_priv="Y")], {"v@10.1.2.3"}),
        ([row("v", "shop", "10.1.0.0/255.255.0.0", select_priv="Y")], {"v@10.1.2.3"}),
        ([row("u", "s%", "%", select_priv="Y"), row("u", "shop", "%")], set()),
        ([row("u", "shop", "%", select_priv="Y"), row("u", "s%", "h")], {"u@%"}),
        ([row("u", "s%", "h", select_priv="Y"), row("u", "shop", "%")], {"u@h"}),
        ([row("", "shop", "h", select_priv="Y"), row("u", "shop", "h")], {"v@h"}),
        ([row("r", "shop", "", select_priv="Y"), row("", "shop", "%")], {"r"}),
    ],
)
def test_a_row_of_a_database_is_everybody_s_whose_user_and_host_it_fits(
    rows: list[dict[str, Any]], reads: set[str], of_mariadb: bool
) -> None:
    known = (("u", "%"), ("u", "h"), ("v", "h"), ("v", "10.1.2.3"), ("", "%"), ("r", ""))
    accounts = Accounts(frozenset({"r"}), of_mariadb=of_mariadb, known=known)
    grants = mysql.of_databases(rows, ["shop"], accounts)
    assert {grant.grantee.name for grant in grants} == reads


def of_view(host: str, rights: str, user: str = "u", **more: str) -> dict[str, str]:
    return {"user": user, "host": host, "db": "d", "name": "v", "rights": rights, **more}


@pytest.mark.parametrize(
    ("rows", "selects"),
    [
        ([of_view("%", "Select")], {("u@%", None), ("u@h", None)}),
        ([of_view("%", "Select"), of_view("h", "Insert")], {("u@%", None)}),
        ([of_view("%", "Select", user="")], {("@%", None)}),
        ([of_view("h", ""), of_view("h", "Select", column="a")], {("u@h", "a")}),
        (
            [of_view("%", ""), of_view("%", "Select", column="a"), of_view("h", "Insert")],
            {("u@%", "a")},
        ),
    ],
)
def test_of_the_rows_of_a_view_the_most_exact_host_decides_alone(
    rows: list[dict[str, str]], selects: set[tuple[str, str | None]]
) -> None:
    accounts = Accounts(known=(("u", "%"), ("u", "h"), ("", "%")))
    grants = mysql.of_objects(rows, accounts)
    assert {(g.grantee.name, g.column) for g in grants if g.word == "SELECT"} == selects


def test_rows_of_a_view_that_are_as_exact_give_what_all_of_them_give() -> None:
    network = "10.0.0.0/255.0.0.0"
    rows = [of_view(network, "Select,Insert,Grant"), of_view("10.1.2.3", "Select")]
    accounts = Accounts(known=(("u", "10.1.2.3"),), of_mariadb=True)
    (grant,) = mysql.of_objects(rows, accounts)
    assert (grant.word, grant.grantable) == ("SELECT", False)
    column = of_view(network, "Select", column="a")
    assert list(mysql.of_objects([of_view("10.1.2.3", ""), column], accounts)) == []


@pytest.mark.parametrize(
    ("outer", "inner", "wanted"),
    [
        ("%", "10.%", True),
        ("10.%", "%", False),
        ("_", "%", False),
        ("_", "_", True),
        ("%.Example.com", "db.example.COM", True),
        ("axb", "a_b", False),
        ("10.0.0.0/255.0.0.0", "10.1.0.0/255.255.0.0", True),
        ("10.1.0.0/255.255.0.0", "10.0.0.0/255.0.0.0", False),
        ("127.0.0.1", "localhost", False),
        ("", "localhost", False),
    ],
)
def test_a_host_lies_within_another_where_all_its_clients_do(
    outer: str, inner: str, wanted: bool
) -> None:
    assert mysql_patterns.holds(outer, inner) is wanted


def test_where_partial_revokes_are_on_names_of_databases_are_no_patterns() -> None:
    told = [row("u", "shop_1", select_priv="Y")]
    grants = mysql.of_databases(told, ["shop_1", "shopx1"], Accounts(known=U), literal=True)
    assert [grant.namespace for grant in grants] == [("shop_1",)]


def test_what_is_revoked_of_a_right_everywhere_lets_nobody_read_there() -> None:
    restrictions = '[{"Database": "d", "Privileges": ["SELECT"]}]'
    grants = list(
        mysql.everywhere(
            {**row("u", "", select_priv="Y"), "restrictions": restrictions}, Accounts()
        )
    )
    access = Access(RightsModel.MYSQL, grants, ())
    assert access.readers(("d",), "v") == []
    assert access.readers(("e",), "v") == [Reader(Grantee("u@h", GranteeKind.USER))]


ANSWERS: dict[str, list[dict[str, Any]]] = {
    "GLOBAL VARIABLES": [
        {"Variable_name": "partial_revokes", "Value": "OFF"},
        {"Variable_name": "mandatory_roles", "Value": "`everyone`@`%`, plain"},
        {"Variable_name": "activate_all_roles_on_login", "Value": "OFF"},
    ],
    "account_locked": [{"user": "idle", "host": "%"}],
    "role_edges": [
        {"user": "ann", "host": "h", "role": "r", "role_host": "%", "grantable": "Y"},
        {"user": "bob", "host": "h", "role": "r", "role_host": "%", "grantable": "N"},
    ],
    "default_roles": [{"user": "bob", "host": "h", "role": "r", "role_host": "%"}],
    "FROM mysql.user": [
        {**row(user, "", host), "restrictions": None}
        for user, host in (("ann", "h"), ("bob", "h"), ("r", "%"), ("idle", "%"))
    ],
    "FROM mysql.db": [row("r", "d", "%", select_priv="Y", grant_priv="Y")],
    "tables_priv": [
        {"user": "r", "host": "%", "db": "d", "name": "v", "rights": "Select,Show view,Grant"}
    ],
    "columns_priv": [],
}


def asked(statement: Any) -> list[dict[str, Any]]:
    return next(answer for mark, answer in ANSWERS.items() if mark in str(statement))


def test_roles_of_mysql_are_active_where_they_are_defaults_or_mandatory() -> None:
    told = list(mysql_grants.read_grants(asked, "8.4.3", ["d"]))
    role = Grantee("r@%", GranteeKind.ROLE)
    held = [one for one in told if isinstance(one, Membership)]
    assert [
        (membership.role.name, membership.member.name, membership.basis, membership.grantable)
        for membership in held
    ] == [
        ("r@%", "ann@h", Basis.ON_DEMAND, True),
        ("r@%", "bob@h", Basis.ACTIVE, False),
        *(
            (role, member, Basis.ACTIVE, False)
            for role in ("everyone@%", "plain@%")
            for member in ("ann@h", "bob@h", "r@%")
        ),
    ]
    on = [one for one in told if isinstance(one, Grant) and one.name == "v"]
    assert [(grant.grantee, grant.privilege, grant.word, grant.grantable) for grant in on] == [
        (role, Privilege.SELECT, "SELECT", True),
        (role, Privilege.OTHER, "SHOW VIEW", True),
    ]


def test_to_set_a_role_each_role_between_must_be_set() -> None:
    inherited, able = Grantee("x", GranteeKind.ROLE), Grantee("cyd", GranteeKind.USER)
    edges = [
        {"role": "r", "member": "x", "inherits": False, "sets": True},
        {"role": "x", "member": "ann", "inherits": True, "sets": False},
        {"role": "x", "member": "cyd", "inherits": True, "sets": True},
        {"role": "x", "member": "bob", "inherits": False, "sets": False},
    ]
    more = {"role_logs_in": False, "role_is_super": False, "grantable": False, "grantor": None}
    rows = [{**edge, **more, "member_logs_in": edge["member"] != "x"} for edge in edges]
    held = [membership for row in rows for membership in postgresql.memberships(row)]
    on_schema = Grant(("d",), "", EVERYBODY, Privilege.USAGE, "USAGE")
    access = Access(RightsModel.POSTGRESQL, [on_schema, on_view(R)], held)
    on_demand = [reader.grantee for reader in access.readers(("d",), "v") if reader.on_demand]
    assert on_demand == [able, inherited]
    assert set(access.active_members(inherited)) == {inherited, ANN, able}


@pytest.mark.parametrize(
    ("rows", "reads", "reads_by_8"),
    [
        # the account's own pattern comes first in bytes, though the role's is more exact
        ([("u", "s%", ""), ("r", "shop", "S")], "ur", "ur"),
        ([("u", "s%", ""), ("r", "sho_", "S")], "r", "ur"),
        ([("u", "s%", "S"), ("r", "sho_", "")], "u", "u"),
        ([("u", "sho_", ""), ("r", "s%", "S")], "ur", "ur"),
        # rows of one pattern are one row
        ([("u", "s%", ""), ("r", "s%", "S")], "ur", "ur"),
        # a name without wildcards decides alone
        ([("u", "shop", ""), ("r", "s%", "S")], "r", "r"),
        # what a role is brought by another one, it may have lost to its own row
        ([("r", "s%", ""), ("q", "sho_", "S")], "q", "urq"),
        # a row that does not bring the role anything brings it to the account
        ([("r", "shop", "S"), ("r", "s%", ""), ("u", "sho_", "S")], "ur", "ur"),
        # rows of other hosts and of everybody do not count beside a role
        ([("u@%", "shop", "S"), ("@%", "shop", "S")], "", ""),
    ],
)
def test_with_a_role_active_the_rows_of_mysql_count_together(
    rows: list[tuple[str, str, str]], reads: str, reads_by_8: str
) -> None:
    names = {"u": "u@h", "r": "r@%", "q": "q@%"}
    told = []
    for name, database, rights in rows:
        user, _, host = names.get(name, name).partition("@")
        told.append(row(user, database, host, select_priv="Y" if rights else "N", insert_priv="Y"))
    role, inner, member = (
        Grantee("r@%", GranteeKind.ROLE),
        Grantee("q@%", GranteeKind.ROLE),
        Grantee("u@h", GranteeKind.USER),
    )
    held = [Membership(role, member), Membership(inner, role)]
    known = (("u", "h"), ("u", "%"), ("", "%"), ("r", "%"), ("q", "%"))
    for first_decides, wanted in ((True, reads), (False, reads_by_8)):
        active = active_roles(held, ["r@%", "q@%"])
        accounts = Accounts(
            frozenset({"r@%", "q@%"}),
            known=known,
            with_roles=ActiveRoles(active, first_decides=first_decides),
        )
        grants = mysql.of_databases(told, ["shop"], accounts)
        able = Access(RightsModel.MYSQL, grants, held).readers(("shop",), "v")
        assert {reader.grantee.name for reader in able} - {"u@%", "@%"} == {
            names[name] for name in wanted
        }


def test_what_a_role_loses_on_a_database_its_member_keeps_by_other_rights() -> None:
    role, member = Grantee("r@%", GranteeKind.ROLE), Grantee("u@h", GranteeKind.USER)
    lost = Grant(("d",), "", member, Privilege.SELECT, "SELECT", basis=Basis.OVERRIDDEN)
    brought = Grant(("d",), "", role, Privilege.SELECT, "SELECT")
    of_role, itself = Reader(role), Reader(member)
    for more, wanted in (
        ([], [of_role]),
        ([Grant(("d",), "v", member, Privilege.SELECT, "SELECT")], [of_role, itself]),
        ([Grant((), "", role, Privilege.SELECT, "SELECT")], [of_role, Reader(member, ("r@%",))]),
    ):
        access = Access(RightsModel.MYSQL, [lost, brought, *more], [Membership(role, member)])
        assert access.readers(("d",), "v") == wanted


def test_a_grant_table_that_may_not_be_read_breaks_all_off() -> None:
    def refusing(statement: Any) -> list[dict[str, Any]]:
        if "role_edges" in str(statement):
            raise DeniedError("1142: SELECT command denied for table `role_edges`")
        return asked(statement)

    with pytest.raises(DeniedError):
        list(mysql_grants.read_grants(refusing, "8.4.3", ["d"]))
