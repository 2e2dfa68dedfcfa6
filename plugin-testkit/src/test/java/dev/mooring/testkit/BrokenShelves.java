// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.rule.Rule;
import java.util.List;
import java.util.stream.Stream;

/** Changes of the example plugin that break one rule each, by what they break. */
final class BrokenShelves {
    static final String PLUGIN = "ShelfPlugin.java";
    static final String SHELF = "Shelf.java";
    static final String PUBLISH_ANSWER = ".map(nothing -> PluginState.NONE)";

    /** How a plugin gets its secret as a text. */
    private static final String SECRET =
            "new String(context.secrets().find(dev.mooring.storage.model.ObjectKey.of(\"kit\", \"shelf\"), \"key\")"
                    + ".orElseThrow().reveal(), java.nio.charset.StandardCharsets.UTF_8)";

    private BrokenShelves() {}

    static Stream<Variant> variants() {
        return Stream.of(pure(), repeated(), troubled(), careless(), dangerous())
                .flatMap(List::stream);
    }

    private static List<Variant> pure() {
        return List.of(
                Variant.of(
                                Rule.CONSTANT_DESCRIPTION,
                                "it describes itself now like this, now like that",
                                PLUGIN,
                                ".withManagesOwnership(true)",
                                ".withManagesOwnership(++described > 2)")
                        .and(
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private int described; private static final String HOSTNAME"),
                Variant.of(
                        Rule.ONE_IDENTITY_PER_VOLUME,
                        "volumes of one node are one",
                        PLUGIN,
                        "orElseThrow().toString()",
                        "orElseThrow().node()"),
                Variant.of(
                        Rule.ALL_FAULTS_NAMED,
                        "it finds no fault",
                        PLUGIN,
                        "return Handle.of(source).isPresent()\n",
                        "return Handle.of(source).isPresent() || source.type().equals(\"csi\")\n"),
                Variant.of(
                        Rule.PURE_PLAN,
                        "it plans less than was asked for",
                        PLUGIN,
                        "request.requested(),",
                        "Quantity.ofBytes(1),"),
                Variant.of(
                        Rule.PURE_PLAN,
                        "it does not say on which node",
                        PLUGIN,
                        "Optional.of(VolumeNodeAffinity.onlyWhere(HOSTNAME, hostname))",
                        "Optional.empty()"),
                Variant.of(
                        Rule.PURE_PLAN,
                        "it takes a node's name for its hostname",
                        PLUGIN,
                        "request.nodeLabels().getOrDefault(HOSTNAME, node)",
                        "node"),
                Variant.of(
                        Rule.PURE_PLAN,
                        "any node that has a hostname will do",
                        PLUGIN,
                        "VolumeNodeAffinity.onlyWhere(HOSTNAME, hostname)",
                        "new VolumeNodeAffinity(Optional.of(new dev.mooring.storage.model.NodeSelector(List.of("
                                + "new dev.mooring.storage.model.NodeSelectorTerm(List.of("
                                + "new dev.mooring.storage.model.NodeSelectorRequirement("
                                + "HOSTNAME, \"Exists\", List.of())), List.of())))))"),
                Variant.of(
                        Rule.PURE_PLAN,
                        "it asks for a label that no node has",
                        PLUGIN,
                        "VolumeNodeAffinity.onlyWhere(HOSTNAME, hostname)",
                        "VolumeNodeAffinity.onlyWhere(\"shelf.example.com/node\", node)"),
                Variant.of(
                        Rule.UNKNOWN_PARAMETERS_REFUSED,
                        "it ignores parameters",
                        PLUGIN,
                        "!request.parameters().isEmpty()",
                        "request.parameters() == null"),
                Variant.of(
                        Rule.UNDECLARED_REFUSED,
                        "it shows a directory where a device was wanted",
                        PLUGIN,
                        "request.volume().mode() == VolumeMode.BLOCK",
                        "request.volume() == null"),
                Variant.of(
                        Rule.LONG_NAMES_DISTINCT,
                        "it cuts names off",
                        PLUGIN,
                        "new Handle(node, request.volumeName())",
                        "new Handle(node, request.volumeName().substring(0, Math.min(63, request.volumeName().length())))"));
    }

    private static List<Variant> repeated() {
        return List.of(
                Variant.of(
                        Rule.OUTCOME_ALWAYS,
                        "it throws",
                        SHELF,
                        "return in(name + \"/\" + DATA, data -> context",
                        "if (readOnly) throw new IllegalStateException(name); return in(name + \"/\" + DATA, data -> context"),
                Variant.of(
                        Rule.OUTCOME_ALWAYS,
                        "it throws an error that no rule names",
                        SHELF,
                        "return in(name + \"/\" + DATA, data -> context",
                        "if (readOnly) throw new java.io.IOError(new java.io.IOException(name));"
                                + " return in(name + \"/\" + DATA, data -> context"),
                Variant.of(
                        Rule.CALLS_IDEMPOTENT,
                        "a second publish is refused",
                        SHELF,
                        "return in(name + \"/\" + DATA, data -> context",
                        "if (context.host().mounts().table().result().orElseThrow().top(target).isPresent())"
                                + " return Outcome.refused(Refusal.IN_USE, \"mounted\");"
                                + " return in(name + \"/\" + DATA, data -> context"),
                Variant.of(
                        Rule.UNDOING_IDEMPOTENT,
                        "what is gone cannot be deleted",
                        SHELF,
                        "absent ? Outcome.done()",
                        "absent ? Outcome.refused(Refusal.NOT_FOUND, name)"),
                Variant.of(
                        Rule.NOTHING_LEFT_BEHIND,
                        "unpublish does nothing",
                        PLUGIN,
                        "Shelf.with(context, shelf -> shelf.hide(id, target))",
                        "Outcome.done()"),
                Variant.of(
                                Rule.UNDONE_WITHOUT_STATE,
                                "unpublish needs the answer of publish",
                                PLUGIN,
                                PUBLISH_ANSWER,
                                ".map(nothing -> new PluginState(1, \"shown\"))")
                        .and(
                                PLUGIN,
                                "return Shelf.with(context, shelf -> shelf.hide",
                                "if (state.schema() == 0) return Outcome.done();"
                                        + " return Shelf.with(context, shelf -> shelf.hide"),
                Variant.of(
                                Rule.NO_STATE_IN_MEMORY,
                                "it remembers in the object what it has made",
                                PLUGIN,
                                ".map(nothing -> plan)",
                                ".map(nothing -> { made.add(request.volumeName()); return plan; })")
                        .and(
                                PLUGIN,
                                "public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {",
                                "public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {"
                                        + " if (!made.contains(volume.name()))"
                                        + " return Outcome.refused(Refusal.DENIED, \"not mine\");")
                        .and(
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private final java.util.Set<String> made = java.util.concurrent.ConcurrentHashMap.newKeySet();"
                                        + " private static final String HOSTNAME"));
    }

    private static List<Variant> troubled() {
        return List.of(
                Variant.of(
                                Rule.HOST_FAILURE_REPORTED,
                                "a lock is kept when the host is uncertain",
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private final java.util.concurrent.locks.ReentrantLock lock ="
                                        + " new java.util.concurrent.locks.ReentrantLock();"
                                        + " private static final String HOSTNAME")
                        .and(
                                PLUGIN,
                                "(shelf, name) -> shelf.show(name, request.target(), request.readOnly()))",
                                "(shelf, name) -> { lock.lock();"
                                        + " var shown = shelf.show(name, request.target(), request.readOnly());"
                                        + " if (shown.isDone()) lock.unlock(); return shown; })"),
                Variant.of(
                        Rule.CALL_SURVIVES_CRASH,
                        "half a volume is never finished",
                        SHELF,
                        "? write(volume, claim, size)\n",
                        "? (made.isNew() ? write(volume, claim, size)"
                                + " : Outcome.refused(Refusal.CORRUPT, \"half a volume\"))\n"),
                Variant.of(
                                Rule.UNDOING_SURVIVES_CRASH,
                                "the card goes before the data",
                                SHELF,
                                "return begun(ifThere(volume, DATA,",
                                "return volume.removeFile(CARD).then(gone -> begun(ifThere(volume, DATA,")
                        .and(
                                SHELF,
                                ".then(nothing -> volume.removeFile(CARD)));",
                                ".then(nothing -> volume.removeFile(CARD))));"),
                Variant.of(
                        Rule.REFUSAL_CHANGES_NOTHING,
                        "it says that nothing happened when something had",
                        SHELF,
                        "deferred -> Outcome.uncertain(deferred.why()),",
                        "deferred -> outcome,"),
                Variant.of(
                        Rule.DEADLINE_OBEYED,
                        "out of time it says that all is done",
                        PLUGIN,
                        "return onShelf(context, request.volume().source(), (shelf, name) -> shelf.show(",
                        "if (context.clock().instant().plusMillis(10).isAfter(context.deadline()))"
                                + " return Outcome.done(PluginState.NONE);"
                                + " return onShelf(context, request.volume().source(), (shelf, name) -> shelf.show("),
                Variant.of(
                        Rule.CANCELLATION_TRUTHFUL,
                        "cancelled, it says that half of the work is all of it",
                        SHELF,
                        "? write(volume, claim, size)\n",
                        "? (context.cancelled() ? Outcome.done() : write(volume, claim, size))\n"),
                Variant.of(
                        Rule.HOST_FAILURE_REPORTED,
                        "it does not look at what the host answered",
                        SHELF,
                        "target, BindOptions.PLAIN.readOnly(readOnly)))\n                .map(entry -> Nothing.NOTHING);",
                        "target, BindOptions.PLAIN.readOnly(readOnly)).match(a -> Outcome.done(), b -> Outcome.done(),"
                                + " c -> Outcome.done(), d -> Outcome.done(), e -> Outcome.done()));"),
                Variant.of(
                        Rule.HOST_FAILURE_REPORTED,
                        "it hopes that what is uncertain was done",
                        SHELF,
                        "target, BindOptions.PLAIN.readOnly(readOnly)))\n                .map(entry -> Nothing.NOTHING);",
                        "target, BindOptions.PLAIN.readOnly(readOnly)).match(a -> Outcome.<Nothing>done(),"
                                + " b -> Outcome.refused(b.refusal(), b.why()), c -> Outcome.done(),"
                                + " d -> Outcome.deferred(d.why()), e -> Outcome.uncertain(e.why())));"));
    }

    private static List<Variant> careless() {
        return List.of(
                Variant.of(
                                Rule.VOLUMES_INDEPENDENT,
                                "the volume of a call is in a field",
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private volatile String current; private static final String HOSTNAME")
                        .and(PLUGIN, "(shelf, name) -> shelf.show(name,", "(shelf, name) -> shelf.show(kept(name),")
                        .and(
                                PLUGIN,
                                "/** Only on the node",
                                "private String kept(String name) { current = name;"
                                        + " java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);"
                                        + " return current; }\n    /** Only on the node"),
                Variant.of(
                        Rule.PODS_INDEPENDENT,
                        "only one pod at a time",
                        SHELF,
                        "return in(name + \"/\" + DATA, data -> context",
                        "if (context.host().mounts().table().result().orElseThrow().entries().stream()"
                                + ".anyMatch(m -> m.root().endsWith(name + \"/data\") && !m.mountPoint().equals(target)))"
                                + " return Outcome.refused(Refusal.IN_USE, \"another pod\");"
                                + " return in(name + \"/\" + DATA, data -> context"),
                Variant.of(
                        Rule.OTHER_NODE_REFUSED,
                        "it makes the directory on any node",
                        PLUGIN,
                        ".filter(node -> node.name().equals(handle.get().node()))",
                        ""),
                Variant.of(
                                Rule.EVERYTHING_CLOSED,
                                "it lets nothing go",
                                SHELF,
                                "try (opened) {",
                                "if (opened != null) {")
                        .and(
                                SHELF,
                                "return action.apply(opened);\n        }",
                                "return action.apply(opened);\n        } throw new IllegalStateException();"),
                Variant.of(
                                Rule.EVERYTHING_CLOSED,
                                "each publish opens a file for good",
                                PLUGIN,
                                PUBLISH_ANSWER,
                                ".map(nothing -> { open.add(file());" + " return PluginState.NONE; })")
                        .and(
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private static final java.util.List<Object> open = new java.util.ArrayList<>();"
                                        + " private static Object file() {"
                                        + " try { return java.nio.channels.FileChannel.open(Path.of(\"/dev/null\")); }"
                                        + " catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } }"
                                        + " private static final String HOSTNAME"),
                Variant.of(
                                Rule.EVERYTHING_CLOSED,
                                "each unpublish opens a socket for good",
                                PLUGIN,
                                "return Shelf.with(context, shelf -> shelf.hide",
                                "open.add(socket()); return Shelf.with(context, shelf -> shelf.hide")
                        .and(
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private static final java.util.List<Object> open = new java.util.ArrayList<>();"
                                        + " private static Object socket() {"
                                        + " try { return java.nio.channels.DatagramChannel.open(); }"
                                        + " catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } }"
                                        + " private static final String HOSTNAME"),
                Variant.of(
                        Rule.NO_THREAD_OR_PROCESS_LEFT,
                        "a thread of it goes on",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> { if (!request.readOnly()) return PluginState.NONE; Thread t = new Thread(() ->"
                                + " java.util.concurrent.locks.LockSupport.parkNanos(60_000_000_000L), \"shelf\");"
                                + " t.setDaemon(true); t.start(); return PluginState.NONE; })"),
                Variant.of(
                        Rule.SECRETS_HIDDEN,
                        "a secret is in the state",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> new PluginState(1, " + SECRET + "))"),
                Variant.of(
                        Rule.SECRETS_HIDDEN,
                        "a secret is in the log",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> { System.getLogger(\"shelf\").log(System.Logger.Level.DEBUG, \"opening with {0}\", "
                                + SECRET + "); return PluginState.NONE; })"),
                Variant.of(
                        Rule.SECRETS_HIDDEN,
                        "a secret is printed, in base64",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> { System.err.println(java.util.Base64.getEncoder().encodeToString(" + SECRET
                                + ".getBytes(java.nio.charset.StandardCharsets.UTF_8))); return PluginState.NONE; })"),
                Variant.of(
                        Rule.SECRETS_HIDDEN,
                        "a secret is told with a user's name before it, in base64",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> { context.report(dev.mooring.storage.spi.Notice.normal(\"Opened\","
                                + " java.util.Base64.getEncoder().encodeToString((\"u:\" + "
                                + SECRET
                                + ").getBytes(java.nio.charset.StandardCharsets.UTF_8)))); return PluginState.NONE; })"),
                Variant.of(
                        Rule.FEW_NOTICES,
                        "it counts on in notices",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> { for (int i = 0; i < 30; i++) { context.report("
                                + "dev.mooring.storage.spi.Notice.normal(\"Opening\", i + \" %\")); }"
                                + " return PluginState.NONE; })"),
                Variant.of(
                        Rule.NO_SHELL,
                        "it asks a shell",
                        PLUGIN,
                        PUBLISH_ANSWER,
                        ".map(nothing -> { context.host().processes().run(context,"
                                + " dev.mooring.storage.spi.host.Command.query(\"sh\", \"-c\", \"true\"));"
                                + " return PluginState.NONE; })"),
                Variant.of(
                        Rule.MACHINE_REQUIRED,
                        "it makes volumes out of nothing",
                        PLUGIN,
                        "return onShelf(context, plan.source(), (shelf, name) -> shelf.make",
                        "if (context.node().isEmpty()) return Outcome.done(plan);"
                                + " return onShelf(context, plan.source(), (shelf, name) -> shelf.make"));
    }

    private static List<Variant> dangerous() {
        return List.of(
                Variant.of(
                        Rule.READ_ONLY_FROM_THE_START,
                        "read-only is writable",
                        SHELF,
                        "BindOptions.PLAIN.readOnly(readOnly)",
                        "BindOptions.PLAIN"),
                Variant.of(
                        Rule.DATA_KEPT,
                        "each publish begins with an empty volume",
                        SHELF,
                        "return in(name + \"/\" + DATA, data -> context",
                        "in(name + \"/\" + DATA, old -> old.facts().then(facts ->"
                                + " context.host().files().empty(context, old, TreeRules.all(facts.identity()))));"
                                + " return in(name + \"/\" + DATA, data -> context"),
                Variant.of(
                                Rule.DATA_KEPT,
                                "the first publish after a start begins with an empty volume",
                                PLUGIN,
                                "private static final String HOSTNAME",
                                "private final java.util.Set<String> used = new java.util.HashSet<>();"
                                        + " private static final String HOSTNAME")
                        .and(
                                PLUGIN,
                                "(shelf, name) -> shelf.show(",
                                "(shelf, name) -> (used.add(name) ? shelf.wipe(name) : Outcome.done()).then(wiped -> shelf.show(")
                        .and(
                                PLUGIN,
                                "request.target(), request.readOnly()))",
                                "request.target(), request.readOnly())))")
                        .and(
                                SHELF,
                                "Outcome<Quantity> grow(",
                                "Outcome<Nothing> wipe(String name) { return in(name + \"/\" + DATA, data -> data.facts()"
                                        + ".then(facts -> context.host().files().empty(context, data,"
                                        + " TreeRules.all(facts.identity())))).map(done -> Nothing.NOTHING); }"
                                        + " Outcome<Quantity> grow("),
                Variant.of(
                        Rule.DATA_KEPT,
                        "each publish sets the mode",
                        SHELF,
                        "data -> context.host().mounts().bind(",
                        "data -> !data.setMode(0777).isDone() ? Outcome.refused(Refusal.DENIED, name)"
                                + " : context.host().mounts().bind("),
                Variant.of(
                        Rule.ONLY_OWN_STORAGE_DELETED,
                        "it deletes all that begins with the name",
                        SHELF,
                        "Outcome<Nothing> remove(String name) {",
                        "Outcome<Nothing> remove(String start) { return directory.list(99).then(all -> {"
                                + " Outcome<Nothing> gone = Outcome.done(); for (String each : all) {"
                                + " if (each.startsWith(start)) { gone = gone.then(nothing -> removeOne(each)); } }"
                                + " return gone; }); }\n    private Outcome<Nothing> removeOne(String name) {"),
                Variant.of(
                        Rule.FOREIGN_MOUNTS_KEPT,
                        "it unmounts whatever is there",
                        SHELF,
                        ".then(facts -> isOurs(volume, facts.identity()))",
                        ".then(facts -> Outcome.done())"),
                Variant.of(
                                Rule.FOREIGN_MOUNTS_KEPT,
                                "it knows its mount by a number alone",
                                PLUGIN,
                                PUBLISH_ANSWER,
                                ".then(nothing -> context.host().mounts().table()).map(table -> new PluginState(1,"
                                        + " \"\" + table.top(request.target()).orElseThrow().id()))")
                        .and(
                                PLUGIN,
                                "return Shelf.with(context, shelf -> shelf.hide",
                                "if (state.schema() == 1) { return context.host().mounts().unmount(context, target,"
                                        + " new dev.mooring.storage.spi.host.MountExpectation(Optional.empty(),"
                                        + " Optional.empty(), Optional.empty(), Optional.empty(),"
                                        + " java.util.OptionalInt.of(Integer.parseInt(state.content())), true),"
                                        + " dev.mooring.storage.spi.host.UnmountForce.NONE); }"
                                        + " return Shelf.with(context, shelf -> shelf.hide"),
                Variant.of(
                        Rule.FOREIGN_MOUNTS_KEPT,
                        "it makes room for its mount",
                        SHELF,
                        "return in(name + \"/\" + DATA, data -> context",
                        "context.host().mounts().table().result().orElseThrow().top(target)"
                                + ".filter(there -> !there.root().endsWith(name + \"/data\"))"
                                + ".ifPresent(there -> context.host().mounts().unmount(context, target,"
                                + " MountExpectation.of(there, true), UnmountForce.NONE));"
                                + " return in(name + \"/\" + DATA, data -> context"),
                Variant.of(
                        Rule.NEW_VOLUME_EMPTY,
                        "delete only says so",
                        PLUGIN,
                        "return onShelf(context, volume.source(), Shelf::remove);",
                        "return Outcome.done();"),
                Variant.of(
                        Rule.ONLY_OWN_STORAGE_DELETED,
                        "it deletes whatever has the name",
                        SHELF,
                        ".then(card -> card.isPresent() ? clear(volume) : Outcome.done())",
                        ".then(card -> clear(volume))"),
                Variant.of(
                        Rule.GROWTH_NEVER_SHRINKS,
                        "it does not grow",
                        SHELF,
                        ": write(volume, card.get().get(0), wanted).map(nothing -> wanted);",
                        ": Outcome.done(size);"));
    }
}
