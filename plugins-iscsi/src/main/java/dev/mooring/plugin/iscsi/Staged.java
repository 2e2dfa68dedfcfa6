// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is known of a volume on this node, written before each effect: enough to undo it all without the volume's object. Holds no
 * secret. Immutable.
 *
 * @param iqn the target
 * @param lun the unit
 * @param iface the interface record used
 * @param ifaceOurs whether that record was made by us
 * @param portals through which portals, with what is ours of them
 * @param devices the SCSI devices
 * @param wwid the disk's identity; empty until it was read
 * @param bytes its size; 0 until it was read
 * @param map the multipath map's name; empty if there is none
 * @param keys the key registered for reservations, in hexadecimal digits, and after it those that were before and may be registered still;
 *     empty if none is
 * @param mount the number of the device that is, or is going to be, mounted or given to pods; empty for none
 * @param asked the portals whose discovery record was made by us and may be there still
 * @param missing the portals over which there is no path, by name if the name led nowhere
 */
@WithBuilder
record Staged(
        String iqn,
        long lun,
        String iface,
        boolean ifaceOurs,
        List<PortalUse> portals,
        List<DeviceUse> devices,
        String wwid,
        long bytes,
        String map,
        List<String> keys,
        String mount,
        List<Portal> asked,
        List<Portal> missing)
        implements StagedBuilder.With {
    private static final int SCHEMA = 1;
    private static final String YES = "ours";
    private static final String NO = "found";
    private static final String LENT = "lent=";
    private static final String DOUBT = "doubt=";

    Staged {
        portals = List.copyOf(portals);
        devices = List.copyOf(devices);
        keys = List.copyOf(keys);
        asked = List.copyOf(asked);
        missing = List.copyOf(missing);
    }

    /**
     * A portal in use.
     *
     * @param portal its address
     * @param record whether the record was made by us
     * @param session whether the session was
     * @param lent if our secrets are in another program's record: its kind of authentication before
     * @param doubt if a login with an unknown end may still become a session
     */
    record PortalUse(
            Portal portal, boolean record, boolean session, Optional<String> lent, Optional<Login.Doubt> doubt) {
        PortalUse(Portal portal, boolean record, boolean session) {
            this(portal, record, session, Optional.empty(), Optional.empty());
        }

        PortalUse withLent(Optional<String> authentication) {
            return new PortalUse(portal, record, session, authentication, doubt);
        }

        /** With what is ours of the same portal by another volume that goes; its secrets it has taken with it. */
        PortalUse inheriting(PortalUse other) {
            return new PortalUse(
                    portal,
                    record || other.record(),
                    session || other.session(),
                    lent,
                    Login.later(doubt, other.doubt()));
        }

        PortalUse withDoubt(Optional<Login.Doubt> now) {
            return new PortalUse(portal, record, session, lent, now);
        }

        private String line() {
            return "portal " + portal + " " + (record ? YES : NO) + " " + (session ? YES : NO)
                    + lent.map(authentication -> " " + LENT + authentication).orElse("")
                    + doubt.map(noted -> " " + DOUBT + noted.text()).orElse("");
        }

        private static PortalUse of(List<String> words) {
            return new PortalUse(
                    Staged.portal(words),
                    ours(words.get(2)),
                    ours(words.get(3)),
                    after(LENT, words),
                    after(DOUBT, words).map(Login.Doubt::parse));
        }

        private static Optional<String> after(String name, List<String> words) {
            return words.stream()
                    .filter(word -> word.startsWith(name))
                    .map(word -> word.substring(name.length()))
                    .findFirst();
        }
    }

    /**
     * A SCSI device in use.
     *
     * @param place host, channel, target and unit, such as {@code 0:0:0:1}
     * @param ours whether it is there because of us
     */
    record DeviceUse(String place, boolean ours) {}

    static Staged nothing(String iqn, long lun, String iface) {
        return StagedBuilder.builder()
                .iqn(iqn)
                .lun(lun)
                .iface(iface)
                .portals(List.of())
                .devices(List.of())
                .wwid("")
                .map("")
                .keys(List.of())
                .mount("")
                .asked(List.of())
                .missing(List.of())
                .build();
    }

    Staged withIface(String name, boolean ours) {
        return withIface(name).withIfaceOurs(ours);
    }

    /** With this portal, in the place of what was known of it. */
    Staged with(PortalUse use) {
        List<PortalUse> all = replaced(portals, old -> old.portal().equals(use.portal()), use);
        return withPortals(all);
    }

    /** With the portals as they are known elsewhere; those that only this one knows stay. */
    Staged withPortalsOf(Staged other) {
        Staged changed = this;
        for (PortalUse use : other.portals()) {
            changed = changed.use(use.portal()).equals(Optional.of(use)) ? changed : changed.with(use);
        }
        return changed;
    }

    /** Where no login can come true any more. */
    Staged withoutDoubts() {
        List<PortalUse> all =
                portals.stream().map(use -> use.withDoubt(Optional.empty())).toList();
        return withPortals(all);
    }

    /** With this device, in the place of what was known of it. */
    Staged with(DeviceUse use) {
        List<DeviceUse> all = replaced(devices, old -> old.place().equals(use.place()), use);
        return withDevices(all);
    }

    Staged withDisk(String newWwid, long newBytes) {
        return withWwid(newWwid).withBytes(newBytes);
    }

    /** With this key as the registered one; an earlier key may stay at the target until it was removed. */
    Staged withKey(String newKey) {
        Stream<String> before = keys.stream().filter(old -> !old.equals(newKey));
        return withKeys(Stream.concat(Stream.of(newKey), before).toList());
    }

    /** Where the keys of before are gone from the target. */
    Staged withoutFormerKeys() {
        return withKeys(keys.stream().limit(1).toList());
    }

    /** The key that is registered; empty if none is. */
    String key() {
        return keys.isEmpty() ? "" : keys.get(0);
    }

    Staged withAsked(Portal portal) {
        return withAsked(replaced(asked, portal::equals, portal));
    }

    Staged withoutAsked(Portal portal) {
        return withAsked(asked.stream().filter(other -> !other.equals(portal)).toList());
    }

    private static <T> List<T> replaced(List<T> all, Predicate<T> same, T by) {
        List<T> changed = new ArrayList<>(all.stream().filter(same.negate()).toList());
        changed.add(by);
        return changed;
    }

    Optional<PortalUse> use(Portal portal) {
        return portals.stream().filter(use -> use.portal().equals(portal)).findFirst();
    }

    Optional<DeviceUse> device(String place) {
        return devices.stream().filter(use -> use.place().equals(place)).findFirst();
    }

    /** Whether it uses this session or record: of this target, over this portal and interface. */
    boolean uses(String target, Portal portal, String overIface) {
        return iqn.equals(target) && iface.equals(overIface) && use(portal).isPresent();
    }

    PluginState toState() {
        List<String> lines = new ArrayList<>(List.of(
                "iqn " + iqn,
                "lun " + lun,
                "iface " + iface + " " + (ifaceOurs ? YES : NO),
                "wwid " + wwid.replace(' ', '\t'),
                "bytes " + bytes,
                "map " + map,
                "key " + String.join(" ", keys),
                "mount " + mount));
        portals.forEach(use -> lines.add(use.line()));
        devices.forEach(use -> lines.add("device " + use.place() + " " + (use.ours() ? YES : NO)));
        asked.forEach(portal -> lines.add("asked " + portal));
        missing.forEach(portal -> lines.add("missing " + portal));
        return new PluginState(SCHEMA, String.join("\n", lines));
    }

    /** Reads what {@link #toState} wrote; empty for {@link PluginState#NONE}; CORRUPT for anything else. */
    static Outcome<Optional<Staged>> read(PluginState state) {
        if (state.equals(PluginState.NONE)) {
            return Outcome.done(Optional.empty());
        }
        try {
            return state.schema() == SCHEMA ? Outcome.done(Optional.of(parse(state.content()))) : corrupt();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return corrupt();
        }
    }

    private static Outcome<Optional<Staged>> corrupt() {
        return Outcome.refused(Refusal.CORRUPT, "the recorded state is not one of this plugin");
    }

    private static Staged parse(String content) {
        Map<String, List<String>> single = new LinkedHashMap<>();
        List<PortalUse> portals = new ArrayList<>();
        List<DeviceUse> devices = new ArrayList<>();
        List<Portal> asked = new ArrayList<>();
        List<Portal> missing = new ArrayList<>();
        for (String line : content.lines().toList()) {
            List<String> words = Arrays.asList(line.split(" ", -1));
            switch (words.get(0)) {
                case "portal" -> portals.add(PortalUse.of(words));
                case "device" -> devices.add(new DeviceUse(words.get(1), ours(words.get(2))));
                case "asked" -> asked.add(portal(words));
                case "missing" -> missing.add(portal(words));
                default -> single.put(words.get(0), words);
            }
        }
        List<String> iface = words(single, "iface");
        return StagedBuilder.builder()
                .iqn(words(single, "iqn").get(1))
                .lun(Long.parseLong(words(single, "lun").get(1)))
                .iface(iface.get(1))
                .ifaceOurs(ours(iface.get(2)))
                .portals(portals)
                .devices(devices)
                .wwid(words(single, "wwid").get(1).replace('\t', ' '))
                .bytes(Long.parseLong(words(single, "bytes").get(1)))
                .map(words(single, "map").get(1))
                .keys(words(single, "key").stream()
                        .skip(1)
                        .filter(word -> !word.isEmpty())
                        .toList())
                .mount(words(single, "mount").get(1))
                .asked(asked)
                .missing(missing)
                .build();
    }

    private static Portal portal(List<String> words) {
        return Portal.parse(words.get(1)).orElseThrow(IllegalArgumentException::new);
    }

    private static List<String> words(Map<String, List<String>> single, String name) {
        List<String> words = single.get(name);
        if (words == null) {
            throw new IllegalArgumentException(name);
        }
        return words;
    }

    private static boolean ours(String word) {
        if (!word.equals(YES) && !word.equals(NO)) {
            throw new IllegalArgumentException(word);
        }
        return word.equals(YES);
    }
}
