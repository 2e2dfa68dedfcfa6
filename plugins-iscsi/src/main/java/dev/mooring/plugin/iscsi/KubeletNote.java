// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.IscsiSourceBuilder;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a kubelet has noted of a volume: {@code iscsi.json} in the directory on which it then mounts the volume, so that its own mount hides
 * it (semantics/plugins §3.3).
 *
 * @param portals as written, the first one first; empty if only the directory's name is left
 * @param iqn the target
 * @param lun the unit
 * @param baseIface the interface of the volume
 * @param iface the interface of its session: another one if the volume has an initiator name
 * @param initiatorName that name; empty for none
 */
record KubeletNote(List<String> portals, String iqn, long lun, String baseIface, String iface, String initiatorName) {
    private static final String FILE = "iscsi.json";
    private static final int LARGEST = 65_536;
    private static final String TEXT = "\"([^\"\\\\]*)\"";
    private static final Pattern FIELD = Pattern.compile(TEXT + "\\s*:\\s*(?:" + TEXT + "|(\\[[^\\]]*])|null)");
    private static final Pattern ELEMENT = Pattern.compile(TEXT);
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}");
    private static final Pattern DIRECTORY = Pattern.compile("(\\S+?:\\d{1,5})-((?:iqn|eui|naa)\\..+)-lun-(\\d{1,3})");
    private static final String OF_INTERFACE = "iface-";

    /** Reads what a kubelet writes; empty for anything else. Its texts need no escapes. */
    static Optional<KubeletNote> parse(String json) {
        Map<String, String> texts = new LinkedHashMap<>();
        List<String> portals = new ArrayList<>();
        for (Matcher field = FIELD.matcher(json); field.find(); ) {
            if (field.group(3) != null && field.group(1).equals("Portals")) {
                ELEMENT.matcher(field.group(3))
                        .results()
                        .map(each -> each.group(1))
                        .forEach(portals::add);
            } else if (field.group(2) != null) {
                texts.put(field.group(1), field.group(2));
            }
        }
        String lun = texts.getOrDefault("Lun", "");
        String base = texts.getOrDefault("InitIface", "");
        boolean whole =
                !texts.getOrDefault("Iqn", "").isEmpty() && NUMBER.matcher(lun).matches() && !base.isEmpty();
        return whole
                ? Optional.of(new KubeletNote(
                        List.copyOf(portals),
                        texts.getOrDefault("Iqn", ""),
                        Long.parseLong(lun),
                        base,
                        texts.getOrDefault("Iface", base),
                        texts.getOrDefault("InitiatorName", "")))
                : Optional.empty();
    }

    /** What the directory's name tells where the note is lost. */
    static Optional<KubeletNote> ofName(Path directory) {
        Path name = directory.getFileName();
        Path parent = directory.getParent();
        String iface = Optional.ofNullable(parent)
                .map(Path::getFileName)
                .map(Path::toString)
                .filter(text -> text.startsWith(OF_INTERFACE))
                .map(text -> text.substring(OF_INTERFACE.length()))
                .orElse("");
        Matcher parts = DIRECTORY.matcher(name == null ? "" : name.toString());
        return !iface.isEmpty() && parts.matches()
                ? Optional.of(new KubeletNote(
                        List.of(parts.group(1)), parts.group(2), Long.parseLong(parts.group(3)), iface, iface, ""))
                : Optional.empty();
    }

    /** The note in a directory, whatever is mounted there; empty if there is none. Nothing is unmounted to read it. */
    static Outcome<Optional<KubeletNote>> in(IscsiCall call, Path directory) {
        return hidden(call, directory, found -> found.readFile(FILE, LARGEST))
                .map(content -> content.flatMap(bytes -> bytes)
                        .flatMap(bytes -> parse(new String(bytes, StandardCharsets.UTF_8))));
    }

    /** Takes the note of a unit away: it would keep the directory from going. Another note stays. */
    static Outcome<Nothing> remove(IscsiCall call, Path directory, Staged staged) {
        return in(call, directory)
                .then(note -> note.filter(found -> found.iqn().equals(staged.iqn()) && found.lun() == staged.lun())
                                .isPresent()
                        ? hidden(call, directory, found -> found.removeFile(FILE))
                                .map(removed -> Nothing.NOTHING)
                        : Outcome.done());
    }

    private static <T> Outcome<Optional<T>> hidden(
            IscsiCall call, Path directory, Function<PinnedPath, Outcome<T>> work) {
        Path parent = directory.getParent();
        Path name = directory.getFileName();
        if (parent == null || name == null) {
            return Outcome.done(Optional.empty());
        }
        return call.host()
                .files()
                .open(parent, LinkRule.FOLLOW)
                .ifFound()
                .then(opened -> opened.isEmpty()
                        ? Outcome.done(Optional.empty())
                        : with(opened.get(), there -> {
                            Outcome<PinnedPath> alone = there.withoutMounts();
                            return alone.isRefused(Refusal.UNSUPPORTED)
                                    ? uncovered(call, there, directory, place -> below(place, name, work))
                                    : alone.then(found -> with(found, place -> below(place, name, work)));
                        }));
    }

    /** Where the kernel cannot show a directory alone, as before Linux 5.12. */
    private static <T> Outcome<Optional<T>> uncovered(
            IscsiCall call, PinnedPath parent, Path directory, Function<PinnedPath, Outcome<Optional<T>>> work) {
        Outcome<Optional<T>> seen = work.apply(parent);
        return seen.isRefused(Refusal.IN_USE) ? shown(call, parent, directory, work) : seen;
    }

    private static <T> Outcome<Optional<T>> below(PinnedPath parent, Path name, Function<PinnedPath, Outcome<T>> work) {
        return parent.child(name.toString()).then(found -> with(found, work)).ifFound();
    }

    /** A second mount of a directory has none of the mounts below. Where even that cannot be made there is no way to a note. */
    private static <T> Outcome<Optional<T>> shown(
            IscsiCall call, PinnedPath parent, Path directory, Function<PinnedPath, Outcome<Optional<T>>> work) {
        Mounts mounts = call.host().mounts();
        return new StagedLedger(call.host())
                .place("note-" + Sha256.hex(directory.toString()).substring(0, 32))
                .then(place -> {
                    Outcome<MountEntry> bound = mounts.bind(parent, place, BindOptions.PLAIN);
                    if (bound.isRefused(Refusal.UNSUPPORTED)) {
                        return Outcome.done(Optional.empty());
                    }
                    return bound.then(entry -> {
                        Outcome<Optional<T>> found =
                                call.host().files().open(place, LinkRule.REFUSE).then(there -> with(there, work));
                        Outcome<Nothing> gone = mounts.unmount(
                                call.context(), place, MountExpectation.of(entry, false), UnmountForce.NONE);
                        return found.then(value -> gone.map(nothing -> value));
                    });
                });
    }

    private static <T> Outcome<T> with(PinnedPath path, Function<PinnedPath, Outcome<T>> work) {
        try (path) {
            return work.apply(path);
        }
    }

    /** The source of such a volume; secrets are not known. */
    IscsiSource source(String fsType, boolean readOnly) {
        return IscsiSourceBuilder.builder()
                .targetPortal(portals.isEmpty() ? "" : portals.get(0))
                .portals(portals.isEmpty() ? List.of() : portals.subList(1, portals.size()))
                .iqn(iqn)
                .lun(lun)
                .fsType(fsType)
                .readOnly(readOnly)
                .iscsiInterface(baseIface)
                .initiatorName(initiatorName)
                .build();
    }
}
