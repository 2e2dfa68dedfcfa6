// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.Directories;
import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which volumes of this node use which sessions, records and devices: one file per volume, durable before each effect. The host's records
 * are of one volume each; only all of them together show whether a session is still needed (semantics/plugins §3.6).
 */
final class StagedLedger {
    private static final String SUFFIX = ".staged";
    private static final int NAME_DIGITS = 32;
    private static final EntryFiles.Format<Entry> FORMAT =
            new EntryFiles.Format<>(StagedLedger::write, StagedLedger::read, 65_536);
    private static final int MOST = 100_000;

    private final HostServices host;

    StagedLedger(HostServices host) {
        this.host = host;
    }

    /**
     * An entry.
     *
     * @param volume whose
     * @param staged what is known of it
     */
    record Entry(String volume, Staged staged) {
        VolumeId id() {
            return new VolumeId(IscsiPlugin.NAME, volume);
        }
    }

    Outcome<Optional<Staged>> find(VolumeId volume) {
        return opened(entries -> entries.find(file(volume.backend()), volume.backend())
                .map(entry -> entry.filter(found -> found.volume().equals(volume.backend()))
                        .map(Entry::staged)));
    }

    /** The entries of all volumes but one. */
    Outcome<List<Entry>> others(VolumeId volume) {
        return opened(entries -> entries.files(MOST)
                .then(names -> Steps.collect(
                        names.stream().filter(name -> name.endsWith(SUFFIX)).toList(),
                        name -> entries.find(name, "file " + name)))
                .map(found -> found.stream()
                        .flatMap(Optional::stream)
                        .filter(entry -> !entry.volume().equals(volume.backend()))
                        .toList()));
    }

    Outcome<Nothing> put(VolumeId volume, Staged staged) {
        return opened(entries -> entries.put(file(volume.backend()), new Entry(volume.backend(), staged)));
    }

    Outcome<Nothing> remove(VolumeId volume) {
        return opened(entries -> entries.remove(file(volume.backend())));
    }

    private static String write(Entry entry) {
        PluginState state = entry.staged().toState();
        return entry.volume() + "\n" + state.schema() + "\n" + state.content();
    }

    /** An entry that cannot be read is never taken for none: a session could be ended under a volume. */
    private static Optional<Entry> read(String text) {
        String[] parts = text.split("\n", 3);
        return parts.length == 3 && parts[1].matches("\\d{1,9}")
                ? Staged.read(new PluginState(Integer.parseInt(parts[1]), parts[2]))
                        .result()
                        .flatMap(staged -> staged)
                        .map(staged -> new Entry(parts[0], staged))
                : Optional.empty();
    }

    /** A path beside the entries, for what is shown for a moment. */
    Outcome<Path> place(String name) {
        return Directories.state(host, IscsiPlugin.NAME, "", LinkRule.FOLLOW, directory -> Outcome.done())
                .then(nothing -> host.stateDirectory(IscsiPlugin.NAME))
                .map(path -> path.resolve(name));
    }

    private <T> Outcome<T> opened(Function<EntryFiles<Entry>, Outcome<T>> action) {
        return Directories.state(
                host,
                IscsiPlugin.NAME,
                "volumes",
                LinkRule.FOLLOW,
                directory -> action.apply(new EntryFiles<>(directory, FORMAT)));
    }

    private static String file(String volume) {
        return Sha256.hex(volume).substring(0, NAME_DIGITS) + SUFFIX;
    }
}
