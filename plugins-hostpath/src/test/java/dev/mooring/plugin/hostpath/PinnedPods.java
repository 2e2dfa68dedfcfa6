// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.host.linux.RootMount;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A node with pods of which some have directories above the node's own; for a mount namespace of its own. The arguments: an empty directory,
 * the propagation of the namespace's mounts, the story, the seed, the file to write.
 */
final class PinnedPods {
    private static final int PODS = 20;
    /** Of what is kept: state, keys, a token, the notes of all that. */
    private static final int MASKS = 4;

    private static final List<String> PATHS = List.of("/", "/", "/", "/var", "/tmp", "/proc");

    private final Path root;
    private final boolean shared;
    private final Random random;
    private final LinuxHost host;
    private final HostPathPlugin plugin;
    private final Path base;

    /** A pod with a hostPath volume. */
    private record Pinned(String path, Path target, PluginState state) {}

    private PinnedPods(Path base, boolean shared, long seed) throws IOException {
        this.base = base;
        this.root = Files.createDirectories(base.resolve("kubelet"));
        this.shared = shared;
        this.random = new Random(seed);
        Files.createDirectories(base.resolve("state/secrets"));
        Files.writeString(base.resolve("state/secrets/key"), "secret");
        KeptPlaces places = KeptPlaces.in(base.resolve("places"));
        Files.createDirectories(base.resolve("keys"));
        HostPathNode.value(
                places.keep("the test", Map.of(base.resolve("keys"), "keys", base.resolve("token"), "a token")));
        Files.writeString(base.resolve("keys/key"), "secret");
        Files.writeString(base.resolve("token"), "secret");
        this.host = LinuxHost.ofThisMachine(new LinuxHostLayout(base.resolve("state"), root.resolve("orphans"), places))
                .orElseThrow();
        this.plugin = (HostPathPlugin) HostPathNode.value(new HostPathPlugin().configured(Map.of()));
    }

    public static void main(String[] arguments) throws IOException {
        Path base = Path.of(arguments[0]);
        PinnedPods pods = new PinnedPods(base, arguments[1].equals("shared"), Long.parseLong(arguments[3]));
        if (arguments[2].equals("older")) {
            pods.older();
        } else {
            pods.mixed();
        }
        Files.writeString(Path.of(arguments[4]), "over");
    }

    // ---- stories ----

    private void mixed() throws IOException {
        int before = count();
        RootMount own = HostPathNode.value(host.separate(root));
        try (MountTableFeed feed = HostPathNode.value(host.followMounts())) {
            List<MountEntry> others = otherPods();
            int start = count();
            List<Pinned> pinned = new ArrayList<>();
            for (int pod = 0; pod < PODS; pod++) {
                int earlier = count();
                Pinned next = publish(pod, PATHS.get(random.nextInt(PATHS.size())), random.nextInt(4));
                pinned.add(next);
                assertThat(count() - earlier).as("mounts of " + next).isBetween(0, start);
                assertThat(inside(next)).as("what lies in " + next).noneMatch(entry -> isOf(entry, others));
            }
            assertThat(count()).isLessThanOrEqualTo(start + PODS * start);
            assertThat(pinned).allSatisfy(this::hidesWhatIsKept);

            int full = count();
            others.add(otherPod("late"));
            assertThat(count())
                    .as("a volume of another pod comes to none of these pods")
                    .isEqualTo(full + 1);
            comesFromTheHost(pinned);
            others.forEach(this::takeAway);
            assertThat(entries()).as("volumes of other pods end").noneMatch(entry -> isOf(entry, others));

            Collections.shuffle(pinned, random);
            for (Pinned each : pinned) {
                long reads = feed.reads();
                HostPathNode.value(plugin.unpublish(
                        context(),
                        plugin.identify(HostPathNode.source(each.path(), "")),
                        HostPathNode.POD,
                        each.target(),
                        each.state()));
                // the thread that tells of changes may read once besides
                assertThat(feed.reads() - reads).as("readings of the table").isLessThanOrEqualTo(4);
                assertThat(inside(each)).isEmpty();
                assertThat(each.target()).doesNotExist();
            }
        }
        assertThat(count()).isEqualTo(before + 2);
        own.close();
        assertThat(count()).isEqualTo(before);
        assertThat(base.resolve("state/secrets/key")).hasContent("secret");
    }

    /** As versions did that gave the node's root no mount of its own. */
    private void older() throws IOException {
        int before = count();
        List<MountEntry> others = new ArrayList<>(List.of(otherPod("first")));
        List<Pinned> old = new ArrayList<>(List.of(publish(0, "/", 0), publish(1, "/tmp", 0)));
        others.add(otherPod("second"));

        RootMount own = HostPathNode.value(host.separate(root));
        int start = count();
        assertThat(root.resolve("pods/first/mem/file")).hasContent("first");
        assertThat(root.resolve("pods/second/mem/file")).hasContent("second");
        List<Pinned> pinned = new ArrayList<>(old);
        for (int pod = 2; pod < 6; pod++) {
            int earlier = count();
            pinned.add(publish(pod, "/", 0));
            assertThat(count() - earlier).isLessThanOrEqualTo(before + MASKS);
        }
        assertThat(count()).isLessThanOrEqualTo(start + 4 * (before + MASKS));

        others.forEach(this::takeAway);
        for (Pinned each : pinned) {
            HostPathNode.value(plugin.unpublish(
                    context(),
                    plugin.identify(HostPathNode.source(each.path(), "")),
                    HostPathNode.POD,
                    each.target(),
                    each.state()));
        }
        own.close();
        assertThat(count()).isEqualTo(before);
    }

    // ---- pods ----

    /** By how it is used: writable, read-only, followed, or by a container that shares its mounts. */
    private Pinned publish(int pod, String path, int use) throws IOException {
        Path target = Files.createDirectories(root.resolve("pods/p" + pod + "/volumes/kubernetes.io~host-path"))
                .resolve("v");
        boolean readOnly = use == 1 || path.equals("/proc");
        // above what is kept it is refused
        boolean bidirectional = use == 2 && path.equals("/var");
        PublishRequest request = new PublishRequest(
                        HostPathNode.volume("v", HostPathNode.source(path, "")),
                        new PodRef("ns", "p" + pod, "p" + pod),
                        target,
                        Optional.empty(),
                        readOnly,
                        Occasion.INITIAL)
                .withBidirectional(bidirectional);
        PluginState state = HostPathNode.value(plugin.publish(context(), request));
        assertThat(Files.exists(target)).isEqualTo(!bidirectional);
        return new Pinned(path, target, state);
    }

    private List<MountEntry> otherPods() throws IOException {
        List<MountEntry> made = new ArrayList<>();
        for (int pod = 0; pod < 5; pod++) {
            made.add(otherPod("o" + pod));
        }
        Path data = Files.createDirectories(base.resolve("data"));
        Path local = Files.createDirectories(root.resolve("pods/local")).resolve("disk");
        try (PinnedPath source = HostPathNode.value(host.files().open(data, LinkRule.FOLLOW))) {
            made.add(HostPathNode.value(host.mounts().bind(source, local, BindOptions.PLAIN)));
        }
        return made;
    }

    private MountEntry otherPod(String name) throws IOException {
        Path place = Files.createDirectories(root.resolve("pods/" + name)).resolve("mem");
        MountEntry entry = HostPathNode.value(
                host.mounts().mount(context(), place, new MountRequest(name, "tmpfs", List.of(), false)));
        Files.writeString(place.resolve("file"), name);
        return entry;
    }

    private void takeAway(MountEntry other) {
        HostPathNode.value(host.mounts()
                .unmount(context(), other.mountPoint(), MountExpectation.of(other, false), UnmountForce.NONE));
    }

    /** What the host mounts later is seen by those who follow it, and not by the pods' own doing. */
    private void comesFromTheHost(List<Pinned> pinned) throws IOException {
        Path late = Files.createDirectories(base.resolve("late"));
        int before = count();
        HostPathNode.tool("mount", "-t", "tmpfs", "late", late.toString());
        long seeing = pinned.stream()
                .filter(each -> Files.exists(each.target()) && late.startsWith(each.path()))
                .count();
        assertThat(count() - before).isEqualTo(shared ? (int) seeing + 1 : 1);
        HostPathNode.tool("umount", late.toString());
        assertThat(count()).isEqualTo(before);
    }

    private void hidesWhatIsKept(Pinned each) throws IOException {
        for (String kept : List.of("state", "keys", "places", "token")) {
            Path place = base.resolve(kept);
            if (Files.exists(each.target()) && place.startsWith(each.path())) {
                Path seen = each.target().resolve(Path.of(each.path()).relativize(place));
                if (kept.equals("token")) {
                    assertThat(seen).isEmptyFile();
                } else {
                    assertThat(seen).isEmptyDirectory();
                }
                assertThat(Files.isWritable(seen)).as(seen.toString()).isFalse();
            }
        }
    }

    // ---- mounts ----

    private List<MountEntry> entries() {
        return HostPathNode.value(host.mounts().table()).entries();
    }

    private int count() {
        return entries().size();
    }

    private List<MountEntry> inside(Pinned each) {
        return HostPathNode.value(host.mounts().table()).in(each.target()).entries();
    }

    /** Whether a mount shows what another pod has. */
    private static boolean isOf(MountEntry entry, List<MountEntry> others) {
        return others.stream()
                .anyMatch(other -> entry.fsType().equals("tmpfs")
                        ? entry.device().equals(other.device())
                        : entry.device().equals(other.device()) && entry.root().equals(other.root()));
    }

    private OperationContext context() {
        return HostPathNode.contextOn(host);
    }
}
