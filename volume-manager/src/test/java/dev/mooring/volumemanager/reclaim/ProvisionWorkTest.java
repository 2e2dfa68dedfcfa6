// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvisionWorkTest {
    /** An API server fills in the fields that a plugin leaves out; what it does not fill in has to be as it was planned. */
    @ParameterizedTest
    @CsvSource({
        "hostPath,type,'',true",
        "hostPath,type,Directory,false",
        "hostPath,path,/elsewhere,false",
        "iscsi,iscsiInterface,default,true",
        "iscsi,iscsiInterface,iser,false",
        "fake,type,'',false"
    })
    void aVolumeIsAsPlannedWhenOnlyDefaultsWereAdded(String type, String field, String value, boolean same) {
        Document plan = Document.of(Map.of("path", "/made"));
        VolumeSource stored = new VolumeSource(type, plan.with(value, field));
        assertThat(ProvisionWork.isSame(stored, new VolumeSource(type, plan))).isEqualTo(same);
        assertThat(ProvisionWork.isSame(stored, stored)).isTrue();
    }
}
