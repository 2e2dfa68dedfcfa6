// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MountNewsTest {
    @Test
    void whatAppearsAndWhatGoesIsTold() {
        Path stays = Path.of("/a");
        Path goes = Path.of("/b");
        Path comes = Path.of("/c");
        MountChanges.Change change = MountChanges.Change.between(Set.of(stays, goes), Set.of(stays, comes));
        assertThat(change.appeared()).containsExactly(comes);
        assertThat(change.gone()).containsExactly(goes);
        assertThat(MountChanges.Change.between(Set.of(stays), Set.of(stays)).isEmpty())
                .isTrue();
    }
}
