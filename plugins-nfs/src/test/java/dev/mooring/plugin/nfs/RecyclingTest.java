// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.source;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Emptying a share for the next claim. */
class RecyclingTest extends OneShare {
    @Test
    void n16_scrubGoesThroughAPrivateMountThatGivesUp() {
        write(share.resolve("a/b"));
        write(share.resolve(".hidden"));
        write(share.resolve(".snapshot/old"));
        write(share.resolve("lost+found/piece"));
        value(plugin.recycle(context(host), volume(source("server", "/srv"), "vers=4.2", "hard", "ro")));
        assertThat(names(share)).containsExactly(".snapshot", "lost+found");
        assertThat(names(share.resolve("lost+found"))).isEmpty();
        assertThat(share.resolve(".snapshot/old")).exists();
        assertThat(host.table).isEmpty();
        assertThat(host.commands)
                .singleElement()
                .asString()
                .endsWith("-o vers=4.2,soft,timeo=100,retrans=3,nosuid,nodev,noexec,retry=0");
        assertThat(names(host.base.resolve("state/nfs/work"))).isEmpty();
    }

    @Test
    void n17_scrubIsRefusedWhereItOrAPartOrTheWholeIsMounted() {
        Path file = write(share.resolve("a/file"));
        String[][] published = {
            {"server", "/srv/a"},
            {"server", "/srv/a/b"},
            {"server", "/srv"},
            {"alias", "/srv/a"},
            {"SERVER.", "/srv/a/"}
        };
        host.export("/srv/a/b");
        for (String[] other : published) {
            VolumeSpec spec = volume(source(other[0], other[1]));
            PluginState state = value(
                    plugin.publish(context(host), Calls.request(spec, host.target("t"), false, Occasion.INITIAL)));
            assertThat(answer(plugin.recycle(context(host), volume(source("server", "/srv/a")))))
                    .as(String.join(":", other))
                    .isEqualTo("IN_USE");
            value(plugin.unpublish(context(host), plugin.identify(spec.source()), Calls.POD, host.target("t"), state));
        }
        assertThat(file).hasContent("content");
        value(plugin.recycle(context(host), volume(source("server", "/srv/a"))));
        assertThat(file).doesNotExist();
    }

    @Test
    void n17_openFilesPutItOff() {
        write(share.resolve(".nfs0001"));
        Outcome<dev.mooring.storage.spi.host.EmptiedTree> refused =
                Outcome.refused(dev.mooring.storage.spi.Refusal.IN_USE, "a mount inside: .nfs0001");
        assertThat(answer(NfsRecycler.explained(refused))).isEqualTo("deferred");
    }

    @Test
    void n18_aDenialSaysWhatMayBeTheCause() {
        Outcome<dev.mooring.storage.spi.host.EmptiedTree> denied =
                Outcome.refused(dev.mooring.storage.spi.Refusal.DENIED, "could not remove a");
        assertThat(NfsRecycler.explained(denied).message())
                .contains("could not remove a")
                .contains("squash root");
    }

    @Test
    void n19_scrubConvergesWhereverItDies() {
        VolumeSpec volume = volume(source("server", "/srv"));
        int deaths = converge(
                () -> {
                    write(share.resolve("a/b"));
                    write(share.resolve("c"));
                },
                services -> plugin.recycle(context(services), volume),
                () -> {
                    assertThat(names(share)).isEmpty();
                    assertThat(host.table).isEmpty();
                });
        assertThat(deaths).isGreaterThanOrEqualTo(4);
    }

    @Test
    void onlyAVolumeObjectIsRecycled() {
        VolumeSpec inline = new VolumeSpec(
                "vol",
                "",
                source("server", "/srv"),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.parse("1Gi"),
                List.of(),
                Map.of());
        assertThat(answer(plugin.recycle(context(host), inline))).isEqualTo("INVALID");
    }
}
