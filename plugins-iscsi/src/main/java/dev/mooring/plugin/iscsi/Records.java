// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The files of the record data base (semantics/plugins §3.2): {@code nodes/<target>/<address>,<port>,<group>/<interface>}, or without a
 * known group the one file {@code nodes/<target>/<address>,<port>}. They are read here to see what is there, and written only to put in
 * secrets, which must not be arguments.
 */
final class Records {
    private static final List<Path> DATA_BASES = List.of(Path.of("/etc/iscsi"), Path.of("/var/lib/iscsi"));
    private static final int MODE = 0600;
    private static final int LARGEST = 65_536;
    private static final int MOST_PORTALS = 1000;
    private static final String DISCOVERY = "st_config";
    private static final String IFACE = "iface.iscsi_ifacename";

    private final IscsiCall call;

    Records(IscsiCall call) {
        this.call = call;
    }

    /**
     * A file of the data base.
     *
     * @param directory where it is
     * @param name its name
     * @param group the portal group; empty if it is not known
     * @param content its record; empty if it is torn
     */
    record Found(Path directory, String name, String group, Optional<IscsiRecordText> content) {
        /** Whether it stands for this interface; a torn one stands for none. */
        boolean isOf(String iface) {
            return content.flatMap(text -> text.value(IFACE))
                    .filter(iface::equals)
                    .isPresent();
        }
    }

    /** All records of a target over a portal, of whatever interface. */
    Outcome<List<Found>> of(String iqn, Portal portal) {
        return Steps.collect(DATA_BASES, base -> in(base.resolve("nodes").resolve(iqn), portal))
                .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    Outcome<Optional<Found>> find(String iqn, Portal portal, String iface) {
        return of(iqn, portal)
                .map(all -> all.stream().filter(found -> found.isOf(iface)).findFirst());
    }

    private Outcome<List<Found>> in(Path target, Portal portal) {
        return opened(
                        target,
                        directory -> names(directory)
                                .then(names -> Steps.collect(
                                        names.stream()
                                                .filter(name -> isOf(name, portal))
                                                .toList(),
                                        name -> at(target, directory, name))))
                .map(lists -> lists.stream()
                        .flatMap(List::stream)
                        .flatMap(List::stream)
                        .toList());
    }

    private Outcome<List<Found>> at(Path target, PinnedPath directory, String name) {
        return directory.child(name).then(child -> {
            try (child) {
                return child.facts()
                        .then(facts -> facts.kind() == FileKind.DIRECTORY
                                ? names(child)
                                        .then(ifaces -> Steps.collect(
                                                ifaces, iface -> read(child, target.resolve(name), iface, group(name))))
                                : read(directory, target, name, "").map(List::of));
            }
        });
    }

    /**
     * The names in a directory of the data base. What a write that was cut off has left there open-iscsi takes for one more record, and it
     * may hold secrets: it is removed.
     */
    private Outcome<List<String>> names(PinnedPath directory) {
        return directory.list(MOST_PORTALS).then(names -> {
            List<String> left = names.stream()
                    .filter(name -> name.startsWith(EntryFiles.TEMPORARY))
                    .toList();
            List<String> records =
                    names.stream().filter(name -> !left.contains(name)).toList();
            // with the lock held no process is writing just now
            return left.isEmpty()
                    ? Outcome.done(records)
                    : call.alone(() -> new DataBaseLock(call).with(() -> Steps.each(left, directory::removeFile)))
                            .map(nothing -> records);
        });
    }

    private static Outcome<Found> read(PinnedPath directory, Path path, String name, String group) {
        return directory
                .readFile(name, LARGEST)
                .map(content -> new Found(path, name, group, content.flatMap(IscsiRecordText::read)));
    }

    private static boolean isOf(String name, Portal portal) {
        String[] parts = name.split(",", -1);
        return parts.length >= 2
                && parts[1].matches("\\d{1,5}")
                && Portal.of(parts[0], Integer.parseInt(parts[1]))
                        .filter(portal::equals)
                        .isPresent();
    }

    private static String group(String name) {
        String[] parts = name.split(",", -1);
        return parts.length == 3 && !parts[2].startsWith("-") ? parts[2] : "";
    }

    /** The record by which a portal is asked for its targets: {@code send_targets/<address>,<port>/st_config}. */
    Outcome<Optional<Found>> ofDiscovery(Portal portal) {
        return Steps.first(DATA_BASES, base -> {
            Path all = base.resolve("send_targets");
            return opened(
                            all,
                            directory -> names(directory)
                                    .map(names -> names.stream()
                                            .filter(name -> isOf(name, portal))
                                            .findFirst()))
                    .then(names -> names.stream()
                            .flatMap(Optional::stream)
                            .findFirst()
                            .map(name -> discoveryIn(all.resolve(name)))
                            .orElseGet(() -> Outcome.done(Optional.empty())));
        });
    }

    private Outcome<Optional<Found>> discoveryIn(Path path) {
        return opened(path, directory -> names(directory).then(names -> directory.readFile(DISCOVERY, LARGEST)))
                .map(read -> read.stream()
                        .flatMap(Optional::stream)
                        .findFirst()
                        .map(content -> new Found(path, DISCOVERY, "", IscsiRecordText.read(content))));
    }

    /** Puts in the secrets and leaves no others; none to remove them. */
    Outcome<Nothing> write(Found found, String prefix, Map<String, SecretValue> secrets) {
        return call.alone(() -> new DataBaseLock(call)
                .with(() -> opened(
                                found.directory(),
                                directory -> directory
                                        .readFile(found.name(), LARGEST)
                                        .then(content -> rewritten(directory, found, content, prefix, secrets)))
                        .then(done -> done.isEmpty()
                                ? Outcome.deferred("the record " + found.name() + " has gone")
                                : Outcome.done())));
    }

    private static Outcome<Nothing> rewritten(
            PinnedPath directory,
            Found found,
            Optional<byte[]> content,
            String prefix,
            Map<String, SecretValue> secrets) {
        Optional<IscsiRecordText> text = content.flatMap(IscsiRecordText::read);
        if (text.isEmpty()) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED, "the record " + found.name() + " of iscsiadm has an unknown layout");
        }
        byte[] bytes = text.get().with(prefix, secrets);
        Outcome<Nothing> written = directory.writeFile(found.name(), bytes, MODE);
        Arrays.fill(bytes, (byte) 0);
        return written;
    }

    /**
     * Removes a torn file, which would make listings and discovery fail for every target (open-iscsi#462). Only with the lock it is known
     * to be torn: else a process may just be writing it.
     *
     * @param ours whether it may go although something stands in it
     */
    Outcome<Nothing> removeTorn(Found found, boolean ours) {
        return call.alone(() -> new DataBaseLock(call)
                .with(() -> opened(
                                found.directory(),
                                directory -> directory
                                        .readFile(found.name(), LARGEST)
                                        .then(content -> withoutTorn(directory, found, content, ours)))
                        .map(all -> Nothing.NOTHING)));
    }

    private Outcome<Nothing> withoutTorn(PinnedPath directory, Found found, Optional<byte[]> content, boolean ours) {
        if (content.isEmpty() || content.flatMap(IscsiRecordText::read).isPresent()) {
            return Outcome.done();
        }
        if (content.get().length > 0 && !ours) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED,
                    "the record " + found.directory().resolve(found.name())
                            + " of iscsiadm is torn or has an unknown layout, and is not ours to remove");
        }
        call.context()
                .report(Notice.normal(
                        "TornRecordRemoved",
                        "removing the torn record " + found.directory().resolve(found.name())));
        return directory.removeFile(found.name());
    }

    /** Does something in a directory; nothing if there is none. */
    private <T> Outcome<List<T>> opened(Path path, Function<PinnedPath, Outcome<T>> action) {
        return call.host().files().open(path, LinkRule.FOLLOW).ifFound().then(found -> {
            if (found.isEmpty()) {
                return Outcome.done(List.of());
            }
            try (PinnedPath directory = found.get()) {
                return action.apply(directory).map(List::of);
            }
        });
    }
}
