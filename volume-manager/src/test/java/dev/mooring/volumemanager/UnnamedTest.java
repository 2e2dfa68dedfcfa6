// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What may be unmounted without losing anything (semantics/attach-and-mount §3.13). */
class UnnamedTest {
    private static final OptionalLong NONE = OptionalLong.empty();
    private static final OptionalLong OWN = OptionalLong.of(1);
    private static final OptionalLong OF_VOLUME = OptionalLong.of(7);
    private static final Path ROOT = Path.of("/kubelet");
    private static final Path VOLUME = ROOT.resolve("pods/uid/volumes/example.com~fake/pv1");
    private static final int HOST = 1;
    private static final int SEEN_AT_HOST = 2;
    private static final int RECEIVES = 3;

    private final List<MountEntry> table = new ArrayList<>();

    private static MountEntry entry(
            int id, int parent, String device, String place, OptionalLong group, OptionalLong master) {
        return new MountEntry(
                id, parent, device, "/", false, Path.of(place), List.of(), group, master, "ext4", "source", List.of());
    }

    private boolean isFurtherView() {
        MountEntry volume = entry(10, HOST, "8:1", VOLUME.toString(), OF_VOLUME, NONE);
        table.add(entry(HOST, 0, "8:0", "/", OWN, NONE));
        table.add(entry(SEEN_AT_HOST, HOST, "8:0", "/host", OWN, NONE));
        table.add(entry(RECEIVES, HOST, "8:0", "/slave", NONE, OWN));
        table.add(volume);
        return new Unnamed(volume, "uid", false).isFurtherView(new MountTable(table), ROOT);
    }

    @Test
    void whatIsSeenNowhereElseIsTheOnlyView() {
        assertThat(isFurtherView()).isFalse();
    }

    @Test
    void whatItWasBoundFromStaysThoughTheyArePeers() {
        table.add(entry(11, HOST, "8:1", "/kubelet/plugins/example.com/fake/staged", OF_VOLUME, NONE));
        assertThat(isFurtherView()).isTrue();
    }

    @Test
    void aCopyThatTheKernelMadeInAPeerGoesWithIt() {
        table.add(entry(11, SEEN_AT_HOST, "8:1", "/host" + VOLUME, OF_VOLUME, NONE));
        assertThat(isFurtherView()).isFalse();
    }

    @Test
    void aCopyThatTheKernelMadeInWhatReceivesGoesWithIt() {
        table.add(entry(11, RECEIVES, "8:1", "/slave" + VOLUME, NONE, OF_VOLUME));
        assertThat(isFurtherView()).isFalse();
    }

    @Test
    void aCopyInWhatReceivesFromWhatReceivesGoesWithItToo() {
        table.add(entry(4, HOST, "8:0", "/both", OptionalLong.of(2), OWN));
        table.add(entry(5, HOST, "8:0", "/far", NONE, OptionalLong.of(2)));
        table.add(entry(11, 5, "8:1", "/far" + VOLUME, NONE, NONE));
        assertThat(isFurtherView()).isFalse();
    }

    @Test
    void whatIsMountedOnSomethingThatIsNotToldMayBeACopy() {
        table.add(entry(11, 99, "8:1", "/elsewhere", OF_VOLUME, NONE));
        assertThat(isFurtherView()).isFalse();
    }

    @Test
    void whatSharesNothingStays() {
        table.add(entry(11, 99, "8:1", "/elsewhere", NONE, NONE));
        assertThat(isFurtherView()).isTrue();
    }
}
